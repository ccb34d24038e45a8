public import FlagModel
public import FlagRemote

/// The evaluation context: a JSON object with a `targetingKey` and any other members.
public struct EvaluationContext: Sendable, Hashable {
    /// The default key of a context; the protocol requires one.
    public static let defaultTargetingKey = "flagmenu"

    /// The context as JSON without white space, the members in their given order.
    public let json: String

    /// A context.
    ///
    /// - Parameters:
    ///   - targetingKey: identifies the user, and determines percentage rollouts.
    ///   - attributes: all other attributes for targeting; a `targetingKey` among them is ignored.
    public init(targetingKey: String = defaultTargetingKey, attributes: FlagTable<ContextValue> = [:]) {
        let members = ContextValue.sorted(attributes).filter { $0.0 != "targetingKey" }
        json = JSONOutput.object([("targetingKey", .string(targetingKey))] + members).text(indented: false)
    }

    /// A context from settings. If it has no `targetingKey`, the default one is inserted at the start.
    ///
    /// - Returns: `nil` if the value is not an object, or its `targetingKey` is not a string.
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
