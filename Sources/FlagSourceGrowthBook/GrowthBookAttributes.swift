public import FlagModel
public import FlagRemote

/// The attributes of a user, which conditions and percentages of features use.
///
/// As in GrowthBook's SDKs, there are no attributes by default. Without an `id`, rules for a percentage of users do not
/// apply.
public struct GrowthBookAttributes: Sendable, Hashable {
    /// The attributes as JSON without white space.
    public let json: String

    /// Attributes by name.
    public init(_ attributes: [String: ContextValue] = [:]) {
        json = ContextValue.members(attributes).json.text(indented: false)
    }

    /// Attributes from settings.
    ///
    /// - Returns: `nil` if the value is not an object.
    public init?(_ value: JSONValue) {
        guard value.kind == .object, let text = value.flagText?.string else { return nil }
        json = text
    }

    /// The attributes as a JSON object.
    var object: JSONValue? { (try? JSONDocument(parsing: Array(json.utf8)))?.root }
}
