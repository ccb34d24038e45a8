/// A paste while it arrives, until the terminal says that it is over.
struct PastedText {
    /// What ends a paste: bracketed paste mode, `PE` in terminfo.
    private static let end = Array("\u{1B}[201~".utf8)

    /// More than anybody means to paste into a field; what comes after it is dropped.
    private static let byteLimit = 1 << 20

    private var bytes: [UInt8] = []
    private var matched = 0

    /// Takes the next byte; returns the whole text when this byte ended the paste.
    mutating func append(_ byte: UInt8) -> String? {
        if byte == Self.end[matched] {
            matched += 1
        } else {
            // The end marker's first byte stands in it only once, so a broken match can only begin anew here.
            keep(Self.end[..<matched])
            matched = byte == Self.end[0] ? 1 : 0
            if matched == 0 { keep([byte]) }
        }
        guard matched == Self.end.count else { return nil }
        defer { self = PastedText() }
        return text
    }

    private mutating func keep(_ more: some Collection<UInt8>) {
        if bytes.count + more.count <= Self.byteLimit { bytes += more }
    }

    /// Terminals send a carriage return for each line end.
    private var text: String {
        var text = ""
        for character in String(decoding: bytes, as: UTF8.self) {
            text.append(character == "\r" || character == "\r\n" ? "\n" : character)
        }
        return text
    }
}
