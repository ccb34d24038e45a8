import TerminalUI

/// An incomplete paste, until the terminal sends its end.
struct PastedText {
    /// The end marker of a paste: bracketed paste mode, `PE` in terminfo.
    private static let endMarker = Array("\u{1B}[201~".utf8)

    /// The longest paste that is accepted.
    private static let byteLimit = 1 << 20

    private var bytes: [UInt8] = []
    private var isOversized = false
    /// How many bytes of the end marker have arrived.
    private var matchedCount = 0
    private var isAfterReturn = false

    /// The minimal number of bytes to the end of the paste.
    var bytesToEnd: Int { Self.endMarker.count - matchedCount }

    /// Appends the next byte; returns the whole paste if this byte ends it.
    mutating func append(_ byte: UInt8) -> KeyPress? {
        if byte == Self.endMarker[matchedCount] {
            matchedCount += 1
        } else {
            // The end marker contains its first byte only at its start, so a broken match can only restart here.
            keepMatched()
            if byte == Self.endMarker[0] { matchedCount = 1 } else { keep(byte) }
        }
        guard matchedCount == Self.endMarker.count else { return nil }
        matchedCount = 0
        return takeAll()
    }

    /// Takes the text, including an incomplete end marker, and starts over.
    mutating func takeAll() -> KeyPress {
        keepMatched()
        defer { self = PastedText() }
        return isOversized ? .oversizedPaste : .paste(String(decoding: bytes, as: UTF8.self))
    }

    private mutating func keepMatched() {
        for byte in Self.endMarker[..<matchedCount] { keep(byte) }
        matchedCount = 0
    }

    /// Appends a byte. Line ends become line feeds; terminals send a carriage return for each.
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
