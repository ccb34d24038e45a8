import CNcurses
public import TerminalUI

/// What the caller decides about the terminal.
public struct TerminalOptions: Sendable, Hashable {
    /// Whether colours may be shown; without, not one colour sequence is sent. `NO_COLOR` is the caller's to read.
    public var isColorAllowed: Bool

    /// Options; colours unless said otherwise.
    public init(isColorAllowed: Bool = true) {
        self.isColorAllowed = isColorAllowed
    }
}

/// What the user's locale says about the terminal.
public enum TerminalLocale {
    /// The characters that the terminal can show: Unicode where the locale is UTF-8, else ASCII.
    public static let charset: Charset = cn_locale_is_utf8() ? .unicode : .ascii
}
