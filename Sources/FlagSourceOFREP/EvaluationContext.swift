public import FlagModel
public import FlagRemote

/// For whom flags are evaluated: a JSON object with a `targetingKey` and any other members.
public struct EvaluationContext: Sendable, Hashable {
    /// The key that a context has where nobody gives one; the protocol wants one.
    public static let defaultTargetingKey = "flagmenu"

    /// The object without white space, its members in the order in which they were given.
    public let json: String

    /// A context.
    ///
    /// - Parameters:
    ///   - targetingKey: whom it is about, which also decides shares of users.
    ///   - attributes: all else that targeting goes by; a `targetingKey` among them is passed over.
    public init(targetingKey: String = defaultTargetingKey, attributes: [String: ContextValue] = [:]) {
        let others = ContextValue.sorted(attributes).filter { $0.0 != "targetingKey" }
        json = JSONOutput.object([("targetingKey", .string(targetingKey))] + others).text(indented: false)
    }

    /// A context as settings hold it. Where it names no `targetingKey` it gets the default one, in front.
    ///
    /// - Returns: `nil` where the value is no object, or its `targetingKey` no string.
    public init?(_ value: JSONValue) {
        guard value.kind == .object, let text = value.flagText?.string else { return nil }
        if let key = value["targetingKey"] {
            guard key.text != nil else { return nil }
            json = text
        } else {
            let start = EvaluationContext().json.dropLast()
            json = start + (value.count == 0 ? "" : ",") + text.dropFirst()
        }
    }
}
