import Essentials
import FlagModel

/// Any JSON value, as text: the value of a flag that has no fixed shape.
///
/// ```
/// extension FlagKey<JSONText> {
///     static let banner = FlagKey("banner", default: #"{"rows": [1, "two"]}"#)
/// }
/// ```
public struct JSONText: Sendable, Hashable {
    /// The text.
    public let text: String

    /// Decodes the value.
    ///
    /// - Throws: a `DecodingError` if the value does not have the shape of the type.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

extension JSONText: LosslessStringConvertible {
    /// A text; `nil` if it is not JSON.
    public init?(_ description: String) {
        guard FlagType.json.accepts(description) else { return nil }
        text = description
    }

    /// The text.
    public var description: String { text }
}

extension JSONText: ExpressibleByStringLiteral {
    /// A text in code, which must be JSON.
    public init(stringLiteral value: String) {
        precondition(FlagType.json.accepts(value), "\(JSONOutput.quoted(value, limit: 80)) is not JSON.")
        text = value
    }
}

extension FlagCoding<JSONText> {
    static let jsonText = FlagCoding(type: .json, read: { JSONText($0) }, write: { $0.text })
}
