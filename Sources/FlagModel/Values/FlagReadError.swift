/// Why a flag could not be read as the type that was asked for.
public struct FlagReadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The two reasons, which call for different answers.
    public enum Code: Sendable, Hashable {
        /// No layer has the key.
        case notFound
        /// The key has a value that is none of the type.
        case notCastable
    }

    /// The reason.
    public let code: Code
    /// The key that was read.
    public let key: String
    /// The text that is not castable.
    public let text: String?
    /// The type that was asked for.
    public let type: FlagType

    /// What the caller calls the type: its name in Swift where that says more than `type`.
    public let typeName: String

    /// An error about a key; `text` is what was found.
    public init(code: Code, key: String, text: String?, type: FlagType, typeName: String? = nil) {
        self.code = code
        self.key = key
        self.text = text
        self.type = type
        self.typeName = typeName ?? type.rawValue
    }

    /// The reason as a sentence, safe to print.
    public var description: String {
        let key = JSONOutput.quoted(key, limit: 80)
        return switch code {
        case .notFound: "no layer has a value for the flag \(key)"
        case .notCastable:
            "the flag \(key) has the value \(JSONOutput.quoted(text ?? "", limit: 80)), not a valid \(typeName)"
        }
    }
}
