public import FlagModel

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
    /// - Throws: why the value does not have the shape of the type.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(InvalidFlagText) -> Value {
        try JSONCoding.read(text)
    }
}

extension JSONText: FlagValue, LosslessStringConvertible {
    /// JSON.
    public static var flagType: FlagType { .json }

    /// A text, which must be JSON.
    public init(flagText: String) throws(InvalidFlagText) {
        guard FlagType.json.accepts(flagText) else { throw InvalidFlagText() }
        text = flagText
    }

    /// The text itself.
    public func flagText() -> String { text }

    /// A text; `nil` if it is not JSON.
    public init?(_ description: String) { try? self.init(flagText: description) }

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
