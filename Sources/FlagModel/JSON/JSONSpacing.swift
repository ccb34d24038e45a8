/// Changes the white space between the tokens of a JSON text.
///
/// All tokens keep their bytes: two texts that differ only in white space have the same compact text.
public enum JSONSpacing {
    /// The text without white space between its tokens; `nil` if it is not JSON.
    public static func compact(_ text: String) -> String? {
        (try? JSONDocument(parsing: Array(text.utf8))).map { string(withoutSpace($0.root.source.utf8)) }
    }

    /// The text with each member and each element on a separate line, indented by two spaces per level; `nil` if it is
    /// not JSON.
    public static func indented(_ text: String) -> String? {
        guard let document = try? JSONDocument(parsing: Array(text.utf8)) else { return nil }
        var writer = IndentedWriter()
        for byte in withoutSpace(document.root.source.utf8) { writer.append(byte) }
        return string(writer.bytes)
    }

    /// The bytes of a JSON text without white space between its tokens.
    static func withoutSpace(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var strings = StringState()
        return bytes.filter { byte in
            strings.read(byte)
            return strings.isInString || !JSONScan.isSpace(byte)
        }
    }

    private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Tracks, byte by byte, whether a position in a JSON text is in a string.
private struct StringState {
    private(set) var isInString = false
    private var isEscaped = false

    mutating func read(_ byte: UInt8) {
        if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
        isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
    }
}

/// Indents compact JSON, byte by byte.
private struct IndentedWriter {
    private(set) var bytes: [UInt8] = []
    private var strings = StringState()
    private var depth = 0

    mutating func append(_ byte: UInt8) {
        let isOutside = !strings.isInString
        strings.read(byte)
        guard isOutside else { return bytes.append(byte) }
        let closes = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
        if closes {
            depth -= 1
            if !isOpening(bytes.last) { breakLine() }
        } else if isOpening(bytes.last) {
            breakLine()
        }
        bytes.append(byte)
        if isOpening(byte) { depth += 1 }
        if byte == UInt8(ascii: ",") { breakLine() }
        if byte == UInt8(ascii: ":") { bytes.append(UInt8(ascii: " ")) }
    }

    private func isOpening(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    private mutating func breakLine() {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }
}
