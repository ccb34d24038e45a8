import CNcurses
import Platform
import TerminalUI

/// Reads keys from the terminal of ncurses.
///
/// It reads bytes and named keys from ncurses (`wgetch`) and decodes characters itself: `get_wch` loses a character
/// that arrives in two reads, and one invalid byte makes it drop the keys after it.
struct KeyReader {
    /// Above every key code of ncurses itself.
    private static let pasteStart: Int32 = 0x2000

    /// More keys than a user presses while a program is busy.
    private static let floodLength = 256

    /// The longest stall within a part of a paste, in milliseconds.
    private static let pauseBeforeInterrupt = 200

    private let descriptor: Int32
    var decoder = KeyDecoder()
    /// When an incomplete sequence times out, in `MonotonicTime`; `nil` if there is none.
    private var deadline: Int?

    /// A reader; the terminal must have been started.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        keypad(cn_stdscr(), true)
        nodelay(cn_stdscr(), true)
        // The time (ms) after which an escape is a key by itself; the user's own setting wins.
        if getenv("ESCDELAY") == nil { set_escdelay(25) }
        // Mouse reports arrive as bytes, as ncurses knows only the kind in the description.
        keyok(KEY_MOUSE, false)
        if let start = cn_capability("PS") { define_key(start, Self.pasteStart) }
        for (code, sequences) in Self.wordKeys {
            for sequence in sequences { define_key(sequence, code) }
        }
    }

    private static let controlLeft: Int32 = 0x2001
    private static let controlRight: Int32 = 0x2002

    /// The sequences of xterm and similar terminals for an arrow with Control (modifier 5 of xterm's ctlseqs) or Alt
    /// (3), and of rxvt for Control; descriptions name them differently or not at all.
    private static let wordKeys: [(Int32, [String])] = [
        (controlLeft, ["\u{1B}[1;5D", "\u{1B}[1;3D", "\u{1B}Od"]),
        (controlRight, ["\u{1B}[1;5C", "\u{1B}[1;3C", "\u{1B}Oc"]),
    ]

    /// How long `poll` may wait for the rest of a sequence, in milliseconds; -1, for ever, if there is none.
    var patience: Int32 { deadline.map { Int32(clamping: max(0, $0 - MonotonicTime.milliseconds())) } ?? -1 }

    /// All pending keys.
    ///
    /// Ctrl-C does not wait behind a flood: it discards earlier keys, as the terminal driver does if Ctrl-C is a
    /// signal, but nothing that the user may have typed by hand while the program was busy.
    mutating func drain() -> [KeyPress] {
        let keys = allKeys()
        guard let interrupt = keys.lastIndex(of: .control("c")), interrupt >= Self.floodLength else { return keys }
        return Array(keys[interrupt...])
    }

    private mutating func allKeys() -> [KeyPress] {
        var keys = decoder.isPasting ? endPasteByInterrupt() : []
        while true {
            if decoder.isPasting {
                guard readPaste(into: &keys) else { break }
            } else {
                guard let input = next() else { break }
                keys += decoder.feed(input)
            }
        }
        keys += decoder.pause()
        deadline = decoder.silenceLimit.map { MonotonicTime.milliseconds() + $0 }
        return keys
    }

    /// The keys of a sequence that timed out.
    mutating func giveUpWhenDue() -> [KeyPress] {
        guard patience == 0 else { return [] }
        deadline = nil
        return decoder.giveUp()
    }

    /// Ctrl-C alone some time after the last part of a paste comes from a user who waits for its end.
    private mutating func endPasteByInterrupt() -> [KeyPress] {
        let silence = (decoder.silenceLimit ?? 0) - Int(patience)
        var byte: UInt8 = 0
        guard silence >= Self.pauseBeforeInterrupt, cn_pending_bytes(descriptor) == 1, read(descriptor, &byte, 1) == 1
        else { return [] }
        return (byte == 0x03 ? decoder.giveUp() : []) + decoder.feed(.byte(byte))
    }

    /// Reads the pending part of a paste, and nothing after it: that is for ncurses.
    private mutating func readPaste(into keys: inout [KeyPress]) -> Bool {
        var waiting = Int(cn_pending_bytes(descriptor))
        guard waiting > 0 else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: decoder.pasteReadLimit) { bytes in
            while waiting > 0, decoder.isPasting {
                // An apparent start of the end marker may turn out to be text: the limit grows while this loops.
                let count = read(descriptor, bytes.baseAddress, min(waiting, decoder.pasteReadLimit, bytes.count))
                guard count > 0 else { return false }
                for byte in bytes[..<count] { keys += decoder.feed(.byte(byte)) }
                waiting -= count
            }
            return true
        }
    }

    /// The next byte or named key; unknown keys are skipped.
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
