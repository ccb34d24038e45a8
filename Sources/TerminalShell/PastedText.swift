import TerminalUI

/// An incomplete paste, until the terminal sends its end.
struct PastedText {
    /// The end marker of a paste: bracketed paste mode, `PE` in terminfo.
    private static let end = Array("\u{1B}[201~".utf8)

    /// More than a user pastes into a field. A longer paste is dropped.
    private static let byteLimit = 1 << 20

    private var bytes: [UInt8] = []
    private var isOversized = false
    private var matched = 0
    private var isAfterReturn = false

    /// The least number of bytes until the end of the paste.
    var bytesToEnd: Int { Self.end.count - matched }

    /// Appends the next byte; returns the whole paste if this byte ends it.
    mutating func append(_ byte: UInt8) -> KeyPress? {
        if byte == Self.end[matched] {
            matched += 1
        } else {
            // The end marker contains its first byte only at its start, so a broken match can only restart here.
            keepMatched()
            if byte == Self.end[0] { matched = 1 } else { keep(byte) }
        }
        guard matched == Self.end.count else { return nil }
        matched = 0
        return takeAll()
    }

    /// Takes out the text, including a partial end marker.
    mutating func takeAll() -> KeyPress {
        keepMatched()
        defer { self = PastedText() }
        return isOversized ? .oversizedPaste : .paste(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func keepMatched() {
        for byte in Self.end[..<matched] { keep(byte) }
        matched = 0
    }

    /// Terminals send a carriage return for each line end.
    private mutating func keep(_ byte: UInt8) {
        let isSecondHalf = byte == 0x0A && isAfterReturn
        isAfterReturn = byte == 0x0D
        guard !isSecondHalf, !isOversized else { return }
        if bytes.count < Self.byteLimit {
            bytes.append(isAfterReturn ? 0x0A : byte)
        } else {
            (isOversized, bytes) = (true, [])
        }
    }
}
