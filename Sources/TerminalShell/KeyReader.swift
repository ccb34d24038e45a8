import CNcurses
import Platform
import TerminalUI

/// Reads keys from the terminal that ncurses drives.
///
/// It asks ncurses for bytes and named keys (`wgetch`) and puts characters together itself: `get_wch` loses a character
/// that arrives in two reads, and one wrong byte makes it swallow the keys after it.
struct KeyReader {
    /// Beyond every key code that ncurses hands out by itself.
    private static let pasteStart: Int32 = 0x2000

    /// More keys than anybody presses while a program is busy.
    private static let floodLength = 256

    /// Milliseconds for which a paste stalls at most in the middle of what it is sent in.
    private static let pauseBeforeInterrupt = 200

    private let descriptor: Int32
    var decoder = KeyDecoder()
    /// When what has begun will not be completed any more, as `MonotonicTime` counts; `nil` while nothing has begun.
    private var deadline: Int?

    /// A reader; the terminal must have been started.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        keypad(cn_stdscr(), true)
        nodelay(cn_stdscr(), true)
        // The time (ms) after which an escape is a key by itself; the user's own setting wins.
        if getenv("ESCDELAY") == nil { set_escdelay(25) }
        // Reports of the mouse come through as they are, as ncurses knows only the kind that the description names.
        keyok(KEY_MOUSE, false)
        if let start = cn_capability("PS") { define_key(start, Self.pasteStart) }
        for (code, sequences) in Self.wordKeys {
            for sequence in sequences { define_key(sequence, code) }
        }
    }

    private static let controlLeft: Int32 = 0x2001
    private static let controlRight: Int32 = 0x2002

    /// What xterm and its like send for an arrow with Control (modifier 5 of xterm's ctlseqs) or Alt (3), and rxvt for
    /// Control; descriptions name them differently or not at all.
    private static let wordKeys: [(Int32, [String])] = [
        (controlLeft, ["\u{1B}[1;5D", "\u{1B}[1;3D", "\u{1B}Od"]),
        (controlRight, ["\u{1B}[1;5C", "\u{1B}[1;3C", "\u{1B}Oc"]),
    ]

    /// How long `poll` may wait for more of what has begun, in milliseconds; -1, for good, while nothing has.
    var patience: Int32 { deadline.map { Int32(clamping: max(0, $0 - MonotonicTime.milliseconds())) } ?? -1 }

    /// All keys that wait.
    ///
    /// Ctrl-C does not wait behind a flood: it discards what was typed before it, as the terminal's driver does where
    /// Ctrl-C is a signal, but nothing that somebody may have typed by hand while the program was busy.
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

    /// The keys that it was, when what has begun was not completed in time.
    mutating func giveUpWhenDue() -> [KeyPress] {
        guard patience == 0 else { return [] }
        deadline = nil
        return decoder.giveUp()
    }

    /// Ctrl-C by itself some time after the rest of a paste is pressed by somebody who waits for its end in vain.
    private mutating func endPasteByInterrupt() -> [KeyPress] {
        let silence = (decoder.silenceLimit ?? 0) - Int(patience)
        var byte: UInt8 = 0
        guard silence >= Self.pauseBeforeInterrupt, cn_pending_bytes(descriptor) == 1, read(descriptor, &byte, 1) == 1
        else { return [] }
        return (byte == 0x03 ? decoder.giveUp() : []) + decoder.feed(.byte(byte))
    }

    /// Reads what waits of a paste, and nothing of what follows it: that is for ncurses to read.
    private mutating func readPaste(into keys: inout [KeyPress]) -> Bool {
        var waiting = Int(cn_pending_bytes(descriptor))
        guard waiting > 0 else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: decoder.pasteReadLimit) { bytes in
            while waiting > 0, decoder.isPasting {
                // What looked like the beginning of the end may turn out to be text: the limit grows while this loops.
                let count = read(descriptor, bytes.baseAddress, min(waiting, decoder.pasteReadLimit, bytes.count))
                guard count > 0 else { return false }
                for byte in bytes[..<count] { keys += decoder.feed(.byte(byte)) }
                waiting -= count
            }
            return true
        }
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
            KEY_C3: .pageDown, controlLeft: .controlLeft, controlRight: .controlRight,
        ]
        // ncurses has room for 63 function keys (KEY_F in curses.h).
        for number in 1...63 { keys[cn_key_f(Int32(number))] = .function(number) }
        return keys
    }()
}
