public import FlagModel

/// The evaluation context: a key of one traffic type.
public struct SplitKey: Sendable, Hashable {
    /// The default key.
    public static let defaultMatchingKey = "flagmenu"
    /// The default traffic type, which every new project has.
    public static let defaultTrafficType = "user"

    /// The key for the conditions of a flag.
    public var matchingKey: String
    /// The traffic type; each flag belongs to one.
    public var trafficType: String
    /// The key for percentages; by default the matching key.
    public var bucketingKey: String?

    /// A key.
    public init(
        _ matchingKey: String = defaultMatchingKey, trafficType: String = defaultTrafficType,
        bucketingKey: String? = nil
    ) {
        self.matchingKey = matchingKey
        self.trafficType = trafficType
        self.bucketingKey = bucketingKey
    }

    /// A key from settings: `{"matchingKey": "u1", "trafficType": "user", "bucketingKey": "b1"}`.
    ///
    /// - Returns: `nil` if the value is not an object of texts, or has no matching key.
    public init?(_ value: JSONValue) {
        guard value.kind == .object, value.members.allSatisfy({ $0.value.text != nil }),
            let matchingKey = value["matchingKey"]?.text?.string, !matchingKey.isEmpty
        else { return nil }
        self.init(
            matchingKey, trafficType: value["trafficType"]?.text?.string ?? Self.defaultTrafficType,
            bucketingKey: value["bucketingKey"]?.text?.string)
    }

    var json: JSONOutput {
        let bucketing = bucketingKey.map { [("bucketingKey", JSONOutput.string($0))] } ?? []
        return .object(
            [("matchingKey", .string(matchingKey)), ("trafficType", .string(trafficType))] + bucketing)
    }
}
