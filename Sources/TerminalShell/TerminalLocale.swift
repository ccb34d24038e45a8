import CNcurses
import Platform
import Synchronization
public import TerminalUI

/// The user's locale, as far as it concerns the terminal.
public enum TerminalLocale {
    private static let locale = cn_set_locale()

    /// The characters of lines on a terminal: Unicode if the locale uses UTF-8, installed or not, or if none is named, as
    /// in most containers; otherwise ASCII.
    public static let charset: Charset = locale.is_utf8 ? .unicode : .ascii

    /// The characters of lines on standard output: always Unicode in a pipe or a file.
    public static var outputCharset: Charset { isatty(STDOUT_FILENO) == 1 ? charset : .unicode }

    /// The characters of a full screen. ncurses needs an installed locale, and if none is named, the terminal is queried:
    /// on a terminal of another encoding, every second cell would be wrong.
    public static let screenCharset: Charset =
        locale.is_utf8 && locale.is_installed && (locale.is_named || isTerminalUnicode())
        ? (locale.is_east_asian ? .unicodeText : .unicode) : .ascii

    /// What was typed while the terminal was queried, and is not handled yet.
    private static let typed = Mutex<[UInt8]>([])

    /// Returns what was typed while the terminal was queried, once.
    static func drainTyped() -> [UInt8] {
        typed.withLock { typed in
            defer { typed = [] }
            return typed
        }
    }

    /// How long the response of a terminal is awaited, in milliseconds.
    private static let replyTimeout: Int32 = 150

    /// Whether the terminal shows the two bytes of one character in one cell. Asks for the position of the cursor after
    /// them (`ESC [ 6 n`, the control function DSR of ECMA-48), and erases them.
    private static func isTerminalUnicode() -> Bool {
        let signals = SignalPipe()
        guard TerminalError.blocker() == nil, tg_install(STDOUT_FILENO, signals.writing, nil, 0) else { return false }
        tg_set_active(true)
        defer {
            tg_give_back()
            tg_uninstall()
            let signal = en_take()
            if signal != 0 { raise(signal) }
        }
        var modes = termios()
        tcgetattr(STDIN_FILENO, &modes)
        cfmakeraw(&modes)
        tcsetattr(STDIN_FILENO, TCSANOW, &modes)
        let query = Array("\r\u{E9}\u{1B}[6n\r\u{1B}[K".utf8)
        guard write(STDOUT_FILENO, query, query.count) == query.count else { return false }
        var bytes: [UInt8] = []
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&input, 1, replyTimeout) == 1 {
            var chunk = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
            if let column = removeColumn(from: &bytes) {
                typed.withLock { $0 = bytes }
                return column == 2
            }
        }
        typed.withLock { $0 = bytes }
        return false
    }

    /// Removes the response `ESC [ row ; column R` from what was read, and returns the column; `nil` if it has not
    /// arrived.
    static func removeColumn(from bytes: inout [UInt8]) -> Int? {
        for start in bytes.indices where bytes[start...].starts(with: [0x1B, UInt8(ascii: "[")]) {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "R")) else { return nil }
            let numbers = String(decoding: bytes[(start + 2)..<end], as: UTF8.self).split(separator: ";")
            guard numbers.count == 2, let column = Int(numbers[1]), Int(numbers[0]) != nil else { continue }
            bytes.removeSubrange(start...end)
            return column
        }
        return nil
    }
}
