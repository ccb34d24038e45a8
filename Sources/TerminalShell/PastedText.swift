import TerminalUI

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
