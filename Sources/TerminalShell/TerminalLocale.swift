import CNcurses
import Platform
public import TerminalUI

/// The user's locale, as far as it concerns the terminal.
public enum TerminalLocale {
    private static let locale = cn_set_locale()

    /// The characters of lines on a terminal: Unicode if the locale uses UTF-8, installed or not, or if none is named, as
    /// in most containers; otherwise ASCII.
    public static let charset: Charset = locale.is_utf8 ? .unicode : .ascii

    /// The characters of lines on standard output: always Unicode in a pipe or a file.
    public static var outputCharset: Charset { isatty(STDOUT_FILENO) == 1 ? charset : .unicode }

    /// The characters of a full screen. ncurses needs an installed locale.
    public static let screenCharset: Charset =
        !locale.is_utf8 || !locale.is_installed ? .ascii : locale.is_east_asian ? .unicodeText : .unicode
}
