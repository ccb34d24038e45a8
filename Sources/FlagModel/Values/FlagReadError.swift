/// Why a flag could not be read as the requested type.
public struct FlagReadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why the flag could not be read.
    public enum Code: Sendable, Hashable {
        /// No layer has the key.
        case notFound
        /// The value of the key is invalid for the type.
        case notCastable
    }

    /// The reason.
    public let code: Code
    /// The key that was read.
    public let key: String
    /// The text that is not valid; `nil` if no layer has the key.
    public let text: String?
    /// The requested type.
    public let type: FlagType

    /// The name of the requested type. A Swift name is used if it is more specific than `type`.
    public let typeName: String
    /// Why the text is not valid, as the end of a sentence, such as `label.title is missing`; `nil` if the type says
    /// enough.
    public let reason: String?

    /// An error of reading `key`, which has the value `text`.
    public init(
        code: Code, key: String, text: String?, type: FlagType, typeName: String? = nil, reason: String? = nil
    ) {
        self.code = code
        self.key = key
        self.text = text
        self.type = type
        self.typeName = typeName ?? type.rawValue
        self.reason = reason
    }

    /// The reason as a sentence, safe to print.
    public var description: String {
        let key = JSONOutput.quoted(key, limit: 80)
        return switch code {
        case .notFound: "no layer has a value for the flag \(key)"
        case .notCastable:
            "the flag \(key) has the value \(JSONOutput.quoted(text ?? "", limit: 80)), not a valid \(typeName)"
                + (reason.map { ": \($0)" } ?? "")
        }
    }
}
