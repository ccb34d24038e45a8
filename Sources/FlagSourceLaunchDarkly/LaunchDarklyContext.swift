public import FlagModel
public import FlagRemote

/// The evaluation context: a context of one kind, or of several.
public struct LaunchDarklyContext: Sendable, Hashable {
    /// The default key of a context; the service requires one.
    public static let defaultKey = "flagmenu"

    /// The context as JSON without white space and with sorted members, so that equal contexts have the same URL.
    public let json: String

    /// A context of one kind.
    ///
    /// - Parameters:
    ///   - key: the context's key. Without one the context is anonymous, so that the service does not list it.
    ///   - kind: the context's kind, such as `user` or `org`.
    ///   - attributes: all other attributes for targeting; a `key` and a `kind` among them are ignored.
    public init(key: String? = nil, kind: String = "user", attributes: FlagTable<ContextValue> = [:]) {
        var members = attributes
        if key == nil { members["anonymous"] = true }
        members["key"] = .text(key ?? Self.defaultKey)
        members["kind"] = .text(kind)
        json = ContextValue.members(members).json.text(indented: false)
    }

    /// A context from settings: `{"kind": "user", "key": "u1", "plan": "pro"}`, or `{"kind": "multi", "user": {"key":
    /// "u1"}, "org": {"key": "o1"}}`. The default kind is `user`.
    ///
    /// An anonymous context needs no key, as in LaunchDarkly's SDKs; it gets ``defaultKey``.
    ///
    /// - Returns: `nil` if the value is not an object, or the key of a context that is not anonymous is missing.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        let kind = value["kind"].map { $0.text?.string ?? "" } ?? "user"
        guard !kind.isEmpty, kind == "multi" ? Self.isComplete(value) : Self.hasKey(value) else { return nil }
        var members = Self.members(value, nested: kind == "multi")
        if value["kind"] == nil { members.append(("kind", .string(kind))) }
        json = Self.object(members).text(indented: false)
    }

    private static func hasKey(_ value: JSONValue) -> Bool {
        value["key"]?.text?.isEmpty == false || value["key"] == nil && value["anonymous"]?.bool == true
    }

    /// The members of a context, with a key if it is anonymous and has none.
    ///
    /// - Parameter nested: whether the members are contexts themselves.
    private static func members(_ value: JSONValue, nested: Bool) -> [(FlagText, JSONOutput)] {
        var members = value.members.map { member in
            let isContext = nested && member.value.kind == .object
            return (member.key, isContext ? object(self.members(member.value, nested: false)) : sorted(member.value))
        }
        if !nested, value["key"] == nil { members.append(("key", .string(defaultKey))) }
        return members
    }

    private static func isComplete(_ multi: JSONValue) -> Bool {
        multi.count >= 2 && multi.members.allSatisfy { $0.key == "kind" || hasKey($0.value) }
    }

    /// A copy with sorted members. The recursion is safe, as the parser rejects documents that are nested too deeply.
    private static func sorted(_ value: JSONValue) -> JSONOutput {
        switch value.kind {
        case .object: object(value.members.map { ($0.key, sorted($0.value)) })
        case .array: .array(value.elements.map(sorted))
        case .string: .string(value.text?.string ?? "")
        case .number, .bool, .null: .raw(value.source)
        }
    }

    private static func object(_ members: [(FlagText, JSONOutput)]) -> JSONOutput {
        .object(members.sorted { $0.0 < $1.0 }.map { ($0.0.string, $0.1) })
    }
}
