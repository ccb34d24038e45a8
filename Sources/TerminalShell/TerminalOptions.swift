import CNcurses
public import TerminalUI

/// What the caller decides about the terminal.
public struct TerminalOptions: Sendable, Hashable {
    /// Whether colours may be shown; without, not one colour sequence is sent. `NO_COLOR` is the caller's to read.
    public var isColorAllowed: Bool
    /// Whether the terminal may be asked, with a few invisible bytes at the start, what its background is and what it can
    /// do. Only terminals that are known to answer are asked, and for the background only where colours are allowed.
    public var isAskingAllowed: Bool

    /// Options; everything is allowed unless said otherwise.
    public init(isColorAllowed: Bool = true, isAskingAllowed: Bool = true) {
        self.isColorAllowed = isColorAllowed
        self.isAskingAllowed = isAskingAllowed
    }
}

/// What the user's locale says about the terminal.
public enum TerminalLocale {
    /// The characters that the terminal can show: Unicode where the locale is UTF-8, else ASCII.
    public static let charset: Charset = cn_locale_is_utf8() ? .unicode : .ascii
}
