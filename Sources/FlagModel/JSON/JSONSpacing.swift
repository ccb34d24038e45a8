/// Changes the white space between the tokens of a JSON text.
///
/// All tokens keep their bytes: two texts that differ only in white space have the same compact text.
public enum JSONSpacing {
    /// The text without white space between its tokens; `nil` if it is not JSON.
    public static func compact(_ text: String) -> String? { spelled(text, margin: nil) }

    /// The text with each member and each element on a separate line, indented by two spaces per level; `nil` if it is
    /// not JSON.
    public static func indented(_ text: String) -> String? { spelled(text, margin: "\n") }

    private static func spelled(_ text: String, margin: String?) -> String? {
        let document = try? JSONDocument(parsing: Array(text.utf8))
        return document.map { String(decoding: $0.root.spelled(margin: margin), as: UTF8.self) }
    }
}

extension JSONValue {
    /// The bytes of the value with other white space between its tokens.
    ///
    /// - Parameter margin: a line feed and the indentation of the value's first line; `nil` for no white space.
    func spelled(margin: String? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, margin)
        return bytes
    }

    private func write(to bytes: inout [UInt8], _ margin: String?) {
        guard isContainer else { return sourceText.withUTF8 { bytes += $0 } }
        let isObject = kind == .object
        let inner = margin.map { $0 + "  " }
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
        for place in places(in: kind) {
            if place > index + 1 { bytes.append(UInt8(ascii: ",")) }
            bytes += (inner ?? "").utf8
            if isObject {
                JSONValue(document: document, index: place).write(to: &bytes, nil)
                bytes += (margin == nil ? ":" : ": ").utf8
            }
            JSONValue(document: document, index: isObject ? place + 1 : place).write(to: &bytes, inner)
        }
        if count > 0 { bytes += (margin ?? "").utf8 }
        bytes.append(UInt8(ascii: isObject ? "}" : "]"))
    }
}
