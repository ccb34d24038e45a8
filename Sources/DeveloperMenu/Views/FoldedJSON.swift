import FlagModel
import TerminalUI

/// JSON as it is shown where it has no room: what it is, and how much of it there is.
struct FoldedJSON {
    /// Whether it is an array; an object otherwise.
    let isArray: Bool
    /// How much there is of it, such as `4 members`.
    let size: String

    /// `nil` for what is no object and no array.
    init?(_ text: String) {
        guard let root = (try? JSONDocument(parsing: Array(text.utf8)))?.root else { return nil }
        switch root.kind {
        case .object: size = root.count.counted("member")
        case .array: size = root.count.counted("element")
        case .null, .bool, .number, .string: return nil
        }
        isArray = root.kind == .array
    }

    /// For example `{…} 4 members`.
    func summary(_ charset: Charset) -> String { "\(Self.brackets(isArray: isArray, charset)) \(size)" }

    /// What stands for all that is inside of a text that begins like an object or an array; `nil` for any other.
    static func brackets(of text: String, _ charset: Charset) -> String? {
        guard let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first) else { return nil }
        return brackets(isArray: first == "[", charset)
    }

    /// What stands for all that is inside, `{…}` or `[…]`.
    static func brackets(isArray: Bool, _ charset: Charset) -> String {
        isArray ? "[\(charset.omission)]" : "{\(charset.omission)}"
    }
}
