import CNcurses
import TerminalUI

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads keys from the terminal that ncurses drives.
///
/// It asks ncurses for bytes and named keys (`wgetch`) and puts characters together itself: `get_wch` loses a character
/// that arrives in two reads, and one wrong byte makes it swallow the keys after it.
struct KeyReader {
    /// Beyond every key code that ncurses hands out by itself.
    private static let pasteStart: Int32 = 0x2000

    private let descriptor: Int32
    private var decoder = KeyDecoder()

    /// A reader; the terminal must have been started.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        keypad(cn_stdscr(), true)
        nodelay(cn_stdscr(), true)
        // The time (ms) after which an escape is a key by itself; the user's own setting wins.
        if getenv("ESCDELAY") == nil { set_escdelay(25) }
        if let start = cn_capability("PS") { define_key(start, Self.pasteStart) }
    }

    /// All keys that wait.
    mutating func drain() -> [KeyPress] {
        var keys: [KeyPress] = []
        while let input = decoder.isPasting ? pastedByte() : next() { keys += decoder.feed(input) }
        return keys + decoder.pause()
    }

    private func pastedByte() -> RawInput? {
        guard cn_pending_bytes(descriptor) > 0 else { return nil }
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1 ? .byte(byte) : nil
    }

    /// The next byte or named key; keys that mean nothing here are skipped.
    private func next() -> RawInput? {
        while true {
            let code = wgetch(cn_stdscr())
            switch code {
            case ERR: return nil
            case 0...0xFF: return .byte(UInt8(code))
            case Self.pasteStart: return .pasteStart
            default:
                if let key = Self.namedKeys[code] { return .key(key) }
            }
        }
    }

    private static let namedKeys: [Int32: KeyPress] = {
        var keys: [Int32: KeyPress] = [
            KEY_ENTER: .enter, KEY_BACKSPACE: .backspace, KEY_DC: .delete, KEY_IC: .insert, KEY_BTAB: .backTab,
            KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_PPAGE: .pageUp,
            KEY_NPAGE: .pageDown, KEY_HOME: .home, KEY_END: .end, KEY_A1: .home, KEY_A3: .pageUp, KEY_C1: .end,
            KEY_C3: .pageDown,
        ]
        // ncurses has room for 63 function keys (KEY_F in curses.h).
        for number in 1...63 { keys[cn_key_f(Int32(number))] = .function(number) }
        return keys
    }()
}
