import CNcurses
import Platform
import TerminalUI

/// Reads keys through ncurses.
///
/// Gets bytes and named keys from ncurses (`wgetch`) and decodes characters itself: `get_wch` loses a character that
/// arrives in two reads, and drops the keys after an invalid byte.
struct KeyReader {
    /// The key code for the start of a paste. It is above the key codes of ncurses.
    private static let pasteStart: Int32 = 0x2000

    private let descriptor: Int32
    var decoder = KeyDecoder()
    /// When an incomplete sequence times out, in `MonotonicTime`; `nil` if no sequence is incomplete.
    private var deadline: Int?

    /// Creates a reader. The terminal must have been started.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        keypad(cn_stdscr(), true)
        nodelay(cn_stdscr(), true)
        // The time after which an escape counts as a key, in milliseconds. A value that the user has set takes
        // precedence.
        if getenv("ESCDELAY") == nil { set_escdelay(25) }
        // Mouse reports are read as bytes, because ncurses decodes only the format in the description.
        keyok(KEY_MOUSE, false)
        if let start = cn_capability("PS") { define_key(start, Self.pasteStart) }
        for (code, sequences) in Self.wordKeys + Self.cursorKeys {
            for sequence in sequences { define_key(sequence, code) }
        }
    }

    /// The key codes of `wordKeys`.
    private static let controlLeft: Int32 = 0x2001
    private static let controlRight: Int32 = 0x2002

    /// The sequences for an arrow with Control (modifier 5 of xterm's ctlseqs) or Alt (modifier 3) on xterm and similar
    /// terminals, and with Control on rxvt. Terminal descriptions name these keys differently or not at all.
    private static let wordKeys: [(Int32, [String])] = [
        (controlLeft, ["\u{1B}[1;5D", "\u{1B}[1;3D", "\u{1B}Od"]),
        (controlRight, ["\u{1B}[1;5C", "\u{1B}[1;3C", "\u{1B}Oc"]),
    ]

    /// The sequences of a cursor key. A description names one form, `ESC O A` or `ESC [ A`: terminals send
    /// the other one for a key that was pressed before the menu chose the mode of these keys.
    private static let cursorKeys = [
        (KEY_UP, "A"), (KEY_DOWN, "B"), (KEY_RIGHT, "C"), (KEY_LEFT, "D"), (KEY_END, "F"), (KEY_HOME, "H"),
    ].map { code, letter in (code, ["\u{1B}[\(letter)", "\u{1B}O\(letter)"]) }

    /// The maximum time that `poll` may wait for the rest of a sequence, in milliseconds; -1 for no limit if no
    /// sequence is incomplete.
    var timeout: Int32 { deadline.map { Int32(clamping: max(0, $0 - MonotonicTime.milliseconds())) } ?? -1 }

    /// Reads and returns all pending keys.
    mutating func drain() -> [KeyPress] {
        var keys: [KeyPress] = []
        while true {
            if decoder.isPasting {
                guard readPaste(into: &keys) else { break }
            } else {
                guard let input = next() else { break }
                keys += decoder.feed(input)
            }
        }
        keys += decoder.pause()
        deadline = decoder.idleLimit.map { MonotonicTime.milliseconds() + $0 }
        return keys
    }

    /// Returns the keys of an incomplete sequence if the sequence has timed out.
    mutating func giveUpWhenDue() -> [KeyPress] {
        guard timeout == 0 else { return [] }
        deadline = nil
        return decoder.giveUp()
    }

    /// Reads the pending part of a paste, but nothing after the paste, because ncurses must read the keys. Returns
    /// `false` if nothing can be read.
    private mutating func readPaste(into keys: inout [KeyPress]) -> Bool {
        let limit = min(decoder.pasteReadLimit, Int(cn_pending_bytes(descriptor)))
        guard limit > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = read(descriptor, &bytes, limit)
        guard count > 0 else { return false }
        for byte in bytes[..<count] { keys += decoder.feed(.byte(byte)) }
        return true
    }

    /// The next byte or named key, skipping unknown keys; `nil` if no input is pending.
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
            KEY_C3: .pageDown, controlLeft: .controlLeft, controlRight: .controlRight,
        ]
        // ncurses has room for 63 function keys (KEY_F in curses.h).
        for number in 1...63 { keys[cn_key_f(Int32(number))] = .function(number) }
        return keys
    }()
}
