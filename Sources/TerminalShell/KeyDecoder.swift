import TerminalUI

/// Input from ncurses: a byte, a key that the terminal's description defines, or the start of a paste.
enum RawInput: Hashable {
    case byte(UInt8)
    case key(KeyPress)
    case pasteStart
}

/// Decodes input to key presses. The result does not depend on how the input is split into reads.
///
/// Unknown sequences are dropped as a whole, so that none of their bytes acts as a command. No sequence can drop keys
/// forever: each sequence has a length limit and times out (`idleLimit`), and Ctrl-C ends every sequence except a
/// paste.
struct KeyDecoder {
    private enum Stage: Equatable {
        case ground
        case escape
        /// In a sequence: `length` bytes have followed ESC and this opening byte.
        case sequence(Opening, length: Int)
        /// After an escape in a string: the next byte ends the string or starts another sequence.
        case stringEscape(Opening)
        /// In a mouse report of the old format, whose coordinates are at most 223.
        case oldMouse
        case paste
    }

    /// The byte after ESC, which determines the kind of sequence in ECMA-48.
    private enum Opening: UInt8 {
        case control = 0x5B  // [
        case singleShift = 0x4F  // O
        case operatingSystem = 0x5D  // ]
        case device = 0x50  // P
        case application = 0x5F  // _
        case privacy = 0x5E  // ^

        /// Whether a string follows: a response of the terminal that ends with BEL or ESC \.
        var isString: Bool { self != .control && self != .singleShift }

        /// The maximum length of a sequence in bytes. Real responses are shorter.
        var lengthLimit: Int { isString ? 1 << 16 : 256 }
    }

    /// The maximum number of bytes of `content` to store. A response with a colour has at most 24 bytes.
    private static let contentLimit = 64

    private var stage = Stage.ground
    /// The bytes of an incomplete UTF-8 character.
    private var partial: [UInt8] = []
    private var pasted = PastedText()
    /// The bytes between the opening and the last byte of a sequence, at most `contentLimit` of them.
    private var content: [UInt8] = []

    /// Whether mouse reports were requested. Otherwise reports that another program has turned on are ignored.
    var expectsMouse = false

    /// Whether a request was sent. If so, an escape may be the start of a response that arrives in pieces.
    var expectsReplies = false

    /// The responses that `drainReplies` has not returned yet.
    private var replies: [TerminalReply] = []

    /// Whether the next bytes are pasted text, without keys.
    var isPasting: Bool { stage == .paste }

    /// The number of bytes that can be read without reading past the end of a paste.
    var pasteReadLimit: Int { pasted.bytesToEnd }

    /// The time without input after which an incomplete sequence times out, in milliseconds; `nil` if no sequence is
    /// incomplete.
    ///
    /// A sequence arrives in one piece, and a delay of 100 ms after Alt with a letter is not noticed. A paste has a
    /// longer limit because it can stall, and after a timeout the rest of the paste would act as keys.
    var idleLimit: Int? {
        switch stage {
        case .ground: nil
        case .paste: 1_000
        case .escape, .sequence, .stringEscape, .oldMouse: 100
        }
    }

    /// Handles input, and returns the keys that the input completes.
    mutating func feed(_ input: RawInput) -> [KeyPress] {
        switch input {
        case .byte(let byte):
            return feed(byte: byte)
        case .key(let key):
            return abortSequence() + [key]
        case .pasteStart:
            let keys = abortSequence()
            stage = .paste
            return keys
        }
    }

    /// Called when no input is pending. Returns Escape if an escape is all that has arrived.
    mutating func pause() -> [KeyPress] { stage == .escape && !expectsReplies ? abortSequence() : [] }

    /// Removes and returns the responses since the last call.
    mutating func drainReplies() -> [TerminalReply] {
        defer { replies = [] }
        return replies
    }

    /// Called after `idleLimit` has passed. Returns the keys in the incomplete input: Alt with a letter begins like a
    /// sequence, and a paste without an end marker is still a paste.
    mutating func giveUp() -> [KeyPress] {
        switch stage {
        case .paste:
            stage = .ground
            return [pasted.drain()]
        case .sequence(let opening, length: 0):
            stage = .ground
            return [.escape, .character(Character(Unicode.Scalar(opening.rawValue)))]
        case .ground, .escape, .sequence, .stringEscape, .oldMouse:
            return abortSequence()
        }
    }

    /// Aborts the current sequence. Returns Escape if the sequence was only an escape.
    private mutating func abortSequence() -> [KeyPress] {
        defer { stage = .ground }
        return switch stage {
        case .escape, .stringEscape: [.escape]
        default: []
        }
    }

    private mutating func feed(byte: UInt8) -> [KeyPress] {
        switch stage {
        case .ground:
            return ground(byte)
        case .escape:
            return afterEscape(byte)
        case .sequence(let opening, let length):
            return inSequence(opening, length + 1, byte)
        case .stringEscape(let opening):
            stage = .ground
            return byte == UInt8(ascii: "\\") ? end(of: opening, byte) : afterEscape(byte)
        case .oldMouse:
            return inOldMouse(byte)
        case .paste:
            guard let paste = pasted.append(byte) else { return [] }
            stage = .ground
            return [paste]
        }
    }

    private mutating func afterEscape(_ byte: UInt8) -> [KeyPress] {
        guard let opening = Opening(rawValue: byte) else {
            stage = .ground
            // ESC and this byte arrived together; otherwise Escape would already have been returned as a key.
            if byte == UInt8(ascii: "b") || byte == UInt8(ascii: "f") {
                return [.alt(Character(Unicode.Scalar(byte)))]
            }
            return [.escape] + ground(byte)
        }
        stage = .sequence(opening, length: 0)
        content = []
        return []
    }

    private mutating func inSequence(_ opening: Opening, _ length: Int, _ byte: UInt8) -> [KeyPress] {
        stage = length < opening.lengthLimit ? .sequence(opening, length: length) : .ground
        switch byte {
        case 0x1B:
            stage = opening.isString ? .stringEscape(opening) : .escape
        case 0x03:
            stage = .ground
            return ground(byte)
        // CAN and SUB cancel any sequence.
        case 0x18, 0x1A: stage = .ground
        default:
            guard isLast(byte, of: opening) else {
                if content.count < Self.contentLimit { content.append(byte) }
                break
            }
            stage = .ground
            return end(of: opening, byte)
        }
        return []
    }

    /// Handles a complete sequence: a response, or a mouse report.
    private mutating func end(of opening: Opening, _ last: UInt8) -> [KeyPress] {
        let reply =
            switch opening {
            case .control: TerminalReply(control: content, last: last)
            case .operatingSystem: TerminalReply(operatingSystem: content)
            case .singleShift, .device, .application, .privacy: nil as TerminalReply?
            }
        if let reply { replies.append(reply) }
        guard opening == .control, expectsMouse else { return [] }
        if last == UInt8(ascii: "M"), content.isEmpty {
            stage = .oldMouse
            return []
        }
        return MouseReport.press(content, last: last).map { [.mouse($0)] } ?? []
    }

    private mutating func inOldMouse(_ byte: UInt8) -> [KeyPress] {
        guard byte >= 0x20 else {
            stage = .ground
            return ground(byte)
        }
        content.append(byte)
        guard content.count == 3 else { return [] }
        stage = .ground
        return MouseReport.press(old: content).map { [.mouse($0)] } ?? []
    }

    /// Whether a byte ends the sequence. By ECMA-48, the parameter and intermediate bytes of a control sequence are
    /// 20-3F and its final byte is 40-7E; any other byte cancels the sequence. ESC O is followed by exactly one byte.
    private func isLast(_ byte: UInt8, of opening: Opening) -> Bool {
        switch opening {
        case .control: !(0x20...0x3F).contains(byte)
        case .singleShift: true
        case .operatingSystem, .device, .application, .privacy: byte == 0x07
        }
    }

    private mutating func ground(_ byte: UInt8) -> [KeyPress] {
        if byte >= 0x80 { return character(endingWith: byte) }
        partial = []
        switch byte {
        case 0x1B:
            stage = .escape
            return []
        // Some terminals and scripts send a line feed instead of a carriage return, and some send Ctrl-H for Backspace.
        case 0x0A, 0x0D: return [.enter]
        case 0x09: return [.tab]
        case 0x08, 0x7F: return [.backspace]
        case 0..<0x20:
            let letter = Unicode.Scalar(byte | 0x40)
            return [.control(Character(String(letter).lowercased()))]
        default: return [.character(Character(Unicode.Scalar(byte)))]
        }
    }

    /// Collects the bytes of a UTF-8 character, and returns the character after its last byte. Invalid bytes and
    /// incomplete characters are dropped.
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
        // C1 controls are not keys.
        return (0x80..<0xA0).contains(text.unicodeScalars.first?.value ?? 0) ? [] : [.character(character)]
    }
}

/// The text of a paste whose end marker has not arrived yet.
struct PastedText {
    /// The end marker of a paste: bracketed paste mode, `PE` in terminfo.
    private static let endMarker = Array("\u{1B}[201~".utf8)

    /// The maximum size of a paste in bytes.
    private static let byteLimit = 1 << 20

    private var bytes: [UInt8] = []
    private var isOversized = false
    /// The number of bytes of the end marker that have arrived.
    private var matchedCount = 0
    private var isAfterReturn = false

    /// The minimum number of bytes that are missing to the end of the paste.
    var bytesToEnd: Int { Self.endMarker.count - matchedCount }

    /// Appends the next byte. Returns the whole paste if this byte ends it, otherwise `nil`.
    mutating func append(_ byte: UInt8) -> KeyPress? {
        if byte == Self.endMarker[matchedCount] {
            matchedCount += 1
        } else {
            // The first byte of the end marker occurs only at its start, so after a mismatch a new match can only start
            // here.
            keepMatched()
            if byte == Self.endMarker[0] { matchedCount = 1 } else { keep(byte) }
        }
        guard matchedCount == Self.endMarker.count else { return nil }
        matchedCount = 0
        return drain()
    }

    /// Returns the text so far, including an incomplete end marker, and starts again without text.
    mutating func drain() -> KeyPress {
        keepMatched()
        defer { self = PastedText() }
        return isOversized ? .oversizedPaste : .paste(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func keepMatched() {
        for byte in Self.endMarker[..<matchedCount] { keep(byte) }
        matchedCount = 0
    }

    /// Appends a byte. Line ends become line feeds, because terminals send a carriage return for each line end.
    private mutating func keep(_ byte: UInt8) {
        let isSecondByteOfLineEnd = byte == 0x0A && isAfterReturn
        isAfterReturn = byte == 0x0D
        guard !isSecondByteOfLineEnd, !isOversized else { return }
        if bytes.count < Self.byteLimit {
            bytes.append(isAfterReturn ? 0x0A : byte)
        } else {
            (isOversized, bytes) = (true, [])
        }
    }
}
