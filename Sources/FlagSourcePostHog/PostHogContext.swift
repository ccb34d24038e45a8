public import FlagModel
public import FlagRemote

/// The evaluation context: a person by distinct ID, the person's groups, and properties of both.
///
/// The members have the names of the request (PostHog/posthog, `rust/feature-flags/src/flags/flag_request.rs`).
public struct PostHogContext: Sendable, Hashable {
    /// The default distinct ID; the endpoint requires one.
    public static let defaultDistinctID = "flagmenu"

    /// Identifies the person, and determines percentage rollouts.
    public var distinctID = defaultDistinctID
    /// The device's ID, for flags that are rolled out by device.
    public var deviceID: String?
    /// The group keys by group type, such as `company`.
    public var groups: FlagTable<String> = [:]
    /// Properties of the person. They take precedence over the properties that PostHog has stored.
    public var personProperties = ContextAttributes()
    /// Properties of the groups by group type. They take precedence over the properties that PostHog has stored.
    public var groupProperties: FlagTable<ContextAttributes> = [:]

    /// Names that users confuse with the members of a context, each with the correct name.
    package static let mistakes = [
        "distinctId": "distinct_id", "distinctID": "distinct_id", "deviceId": "device_id", "deviceID": "device_id",
        "personProperties": "person_properties", "groupProperties": "group_properties",
    ]

    /// A context with only the default distinct ID.
    public init() {}

    /// A context from settings: `{"distinct_id": "ana", "groups": {"company": "acme"}, "plan": "pro"}`. Unknown members
    /// are person properties too, and take precedence over the members of `person_properties`.
    ///
    /// - Returns: `nil` if the value is not an object, an ID is not a text or a number, or the properties are not
    ///   objects.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        var properties: FlagTable<String> = [:]
        for (key, member) in value.members {
            guard Self.mistakes[key.string] == nil else { return nil }
            switch key.string {
            case "distinct_id":
                guard let id = Self.id(member) else { return nil }
                distinctID = id
            case "device_id":
                guard let id = Self.id(member) else { return nil }
                deviceID = id
            case "groups":
                guard let keys = Self.object(member, of: Self.id) else { return nil }
                groups = keys
            case "person_properties":
                guard let members: FlagTable<String> = Self.object(member, of: { $0.compactJSON }) else { return nil }
                properties.merge(members) { outer, _ in outer }
            case "group_properties":
                guard let properties = Self.object(member, of: { ContextAttributes($0) }) else { return nil }
                groupProperties = properties
            default: properties[key.string] = member.compactJSON
            }
        }
        personProperties = ContextAttributes(members: properties)
    }

    /// An ID from settings: a non-empty text, or a number. The endpoint accepts both. `nil` for other values.
    private static func id(_ value: JSONValue) -> String? {
        guard value.kind == .string || value.kind == .number, let text = value.flagText, !text.isEmpty else {
            return nil
        }
        return text.string
    }

    /// The members of an object, converted by `read`; `nil` if the value is not an object, or a member is not valid.
    private static func object<Member>(_ value: JSONValue, of read: (JSONValue) -> Member?) -> FlagTable<Member>? {
        guard value.kind == .object else { return nil }
        var result: FlagTable<Member> = [:]
        for (key, member) in value.members {
            guard let member = read(member) else { return nil }
            result[key.string] = member
        }
        return result
    }

    /// The context as members of a request. Each object is sorted, so equal contexts have equal JSON.
    var members: [(String, JSONOutput)] {
        func sorted<Value>(_ table: FlagTable<Value>, _ json: (Value) -> JSONOutput) -> JSONOutput {
            .object(table.sortedByKey.map { ($0.key, json($0.value)) })
        }
        var members: [(String, JSONOutput)] = [("distinct_id", .string(distinctID))]
        if let deviceID { members.append(("device_id", .string(deviceID))) }
        members.append(("groups", sorted(groups) { .string($0) }))
        members.append(("person_properties", .raw(personProperties.json)))
        members.append(("group_properties", sorted(groupProperties) { .raw($0.json) }))
        return members
    }
}
