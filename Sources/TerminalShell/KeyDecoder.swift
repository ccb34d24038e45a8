import TerminalUI

/// What ncurses hands over: a byte of the input as it came, or a key that the terminal's description names.
enum RawInput: Hashable {
    case byte(UInt8)
    case key(KeyPress)
    case pasteStart
}

/// Turns input into key presses, however it is cut into reads.
///
/// Sequences that no description names are swallowed whole, so that none of their bytes acts as a command.
struct KeyDecoder {
    private enum Stage {
        case ground
        case escape
        /// In a control sequence, until its final byte.
        case controlSequence
        /// After ESC O: one byte more.
        case singleShift
        /// In a string that the terminal sends (a reply), until BEL or ESC \.
        case string(isEscaped: Bool)
        case paste
    }

    private var stage = Stage.ground
    private var partial: [UInt8] = []
    private var pasted = PastedText()

    /// Whether the bytes to come are pasted text, to be read without looking for keys in it.
    var isPasting: Bool {
        if case .paste = stage { true } else { false }
    }

    /// The keys that the input completes.
    mutating func feed(_ input: RawInput) -> [KeyPress] {
        switch input {
        case .byte(let byte):
            return feed(byte: byte)
        case .key(let key):
            return pause() + [key]
        case .pasteStart:
            let keys = pause()
            stage = .paste
            return keys
        }
    }

    /// The keys that are complete now that no more input waits: an escape that nothing followed.
    mutating func pause() -> [KeyPress] {
        guard case .escape = stage else { return [] }
        stage = .ground
        return [.escape]
    }

    private mutating func feed(byte: UInt8) -> [KeyPress] {
        switch stage {
        case .ground:
            return ground(byte)
        case .escape:
            return afterEscape(byte)
        case .controlSequence:
            // ECMA-48: parameters and intermediates are 20-3F, the final byte is 40-7E; anything else breaks it off.
            if !(0x20...0x3F).contains(byte) { stage = .ground }
        case .singleShift:
            stage = .ground
        case .string(let isEscaped):
            let isEnd = byte == 0x07 || (isEscaped && byte == UInt8(ascii: "\\"))
            stage = isEnd ? .ground : .string(isEscaped: byte == 0x1B)
        case .paste:
            guard let text = pasted.append(byte) else { return [] }
            stage = .ground
            return [.paste(text)]
        }
        return []
    }

    private mutating func afterEscape(_ byte: UInt8) -> [KeyPress] {
        stage = .ground
        switch byte {
        case UInt8(ascii: "["): stage = .controlSequence
        case UInt8(ascii: "O"): stage = .singleShift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
            stage = .string(isEscaped: false)
        default: return [.escape] + ground(byte)
        }
        return []
    }

    private mutating func ground(_ byte: UInt8) -> [KeyPress] {
        if byte >= 0x80 { return character(endingWith: byte) }
        partial = []
        switch byte {
        case 0x1B:
            stage = .escape
            return []
        // Line feed too: not every terminal and script sends a carriage return. Likewise Ctrl-H, as some still send.
        case 0x0A, 0x0D: return [.enter]
        case 0x09: return [.tab]
        case 0x08, 0x7F: return [.backspace]
        case 0..<0x20:
            let letter = Unicode.Scalar(byte | 0x40)
            return [.control(Character(String(letter).lowercased()))]
        default: return [.character(Character(Unicode.Scalar(byte)))]
        }
    }

    /// Collects UTF-8; a byte that fits nowhere is dropped, and one that starts a character starts anew.
    private mutating func character(endingWith byte: UInt8) -> [KeyPress] {
        if byte >= 0xC0 { partial = [] }
        partial.append(byte)
        let expected =
            switch partial[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        guard partial.count >= expected else { return [] }
        defer { partial = [] }
        guard let text = String(validating: partial, as: UTF8.self), let character = text.first else { return [] }
        // C1 controls are no keys.
        return (0x80..<0xA0).contains(text.unicodeScalars.first?.value ?? 0) ? [] : [.character(character)]
    }
}
