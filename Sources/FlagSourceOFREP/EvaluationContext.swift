public import FlagModel
public import FlagRemote

/// The evaluation context: a JSON object with a `targetingKey` and any other members.
public struct EvaluationContext: Sendable, Hashable {
    /// The default key of a context; the protocol requires one.
    public static let defaultTargetingKey = "flagmenu"

    /// The object without white space, its members in their given order.
    public let json: String

    /// A context.
    ///
    /// - Parameters:
    ///   - targetingKey: the user, which also decides percentage rollouts.
    ///   - attributes: all other attributes for targeting; a `targetingKey` among them is ignored.
    public init(targetingKey: String = defaultTargetingKey, attributes: [String: ContextValue] = [:]) {
        let others = ContextValue.sorted(attributes).filter { $0.0 != "targetingKey" }
        json = JSONOutput.object([("targetingKey", .string(targetingKey))] + others).text(indented: false)
    }

    /// A context from settings. If it has no `targetingKey` the default one is put first.
    ///
    /// - Returns: `nil` if the value is not an object, or its `targetingKey` not a string.
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
