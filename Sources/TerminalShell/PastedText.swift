import TerminalUI

/// A paste while it arrives, until the terminal says that it is over.
struct PastedText {
    /// What ends a paste: bracketed paste mode, `PE` in terminfo.
    private static let end = Array("\u{1B}[201~".utf8)

    /// More than anybody means to paste into a field. What has more is not kept at all.
    private static let byteLimit = 1 << 20

    private var bytes: [UInt8] = []
    private var isOversized = false
    private var matched = 0
    private var isAfterReturn = false

    /// How many bytes are still to come at least until the paste is over.
    var bytesToEnd: Int { Self.end.count - matched }

    /// Takes the next byte; returns the whole paste when this byte ended the paste.
    mutating func append(_ byte: UInt8) -> KeyPress? {
        if byte == Self.end[matched] {
            matched += 1
        } else {
            // The end marker's first byte stands in it only once, so a broken match can only begin anew here.
            keepMatched()
            if byte == Self.end[0] { matched = 1 } else { keep(byte) }
        }
        guard matched == Self.end.count else { return nil }
        matched = 0
        return takeAll()
    }

    /// Takes the text out, with what could have become the end marker.
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
