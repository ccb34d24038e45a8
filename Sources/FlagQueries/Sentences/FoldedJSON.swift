import FlagModel
package import TerminalUI

/// A summary of JSON that does not fit: its kind and its size.
package struct FoldedJSON {
    /// Whether the JSON is an array; otherwise it is an object.
    package let isArray: Bool
    /// The size, such as `4 members`.
    let size: String

    /// Parses JSON; `nil` if the text is neither an object nor an array.
    package init?(_ text: String) {
        guard let root = (try? JSONDocument(parsing: Array(text.utf8)))?.root else { return nil }
        switch root.kind {
        case .object: size = root.count.counted("member")
        case .array: size = root.count.counted("element")
        case .null, .bool, .number, .string: return nil
        }
        isArray = root.kind == .array
    }

    /// The brackets and the size, such as `{…} 4 members`.
    package func summary(_ charset: Charset) -> String { "\(Self.brackets(isArray: isArray, charset)) \(size)" }

    /// The brackets of a text that begins like an object or an array, with an ellipsis; `nil` for any other text.
    package static func brackets(of text: String, _ charset: Charset) -> String? {
        guard let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first) else { return nil }
        return brackets(isArray: first == "[", charset)
    }

    /// The brackets with an ellipsis, `{…}` or `[…]`.
    package static func brackets(isArray: Bool, _ charset: Charset) -> String {
        isArray ? "[\(charset.omission)]" : "{\(charset.omission)}"
    }
}
