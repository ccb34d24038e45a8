public import FlagModel
public import FlagRemote

/// For whom flags are evaluated: a key of one traffic type.
public struct SplitKey: Sendable, Hashable {
    /// The key where nobody gives one.
    public static let defaultMatchingKey = "flagmenu"
    /// The traffic type where nobody names one, which every new project has.
    public static let defaultTrafficType = "user"

    /// Whom the conditions of a flag are about.
    public var matchingKey: String
    /// What flags count as theirs; each flag is made for one traffic type.
    public var trafficType: String
    /// What percentages go by; left out it is the matching key.
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

    /// A key as settings hold it: `{"matchingKey": "u1", "trafficType": "user", "bucketingKey": "b1"}`.
    ///
    /// - Returns: `nil` where it is no object of texts, or has no matching key.
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

/// Facts that the conditions of flags go by.
public struct SplitAttributes: Sendable, Hashable {
    /// The object without white space.
    public let json: String

    /// Facts by their names; none when left out.
    public init(_ attributes: [String: ContextValue] = [:]) {
        json = ContextValue.members(attributes).json.text(indented: false)
    }

    /// Facts as settings hold them.
    ///
    /// - Returns: `nil` where the value is no object.
    public init?(_ value: JSONValue) {
        guard value.kind == .object, let text = value.flagText?.string else { return nil }
        json = text
    }
}
