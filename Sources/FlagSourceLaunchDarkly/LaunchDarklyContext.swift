public import FlagModel
public import FlagRemote

/// For whom flags are evaluated: a context of one kind, or of several.
public struct LaunchDarklyContext: Sendable, Hashable {
    /// The key that a context has where nobody gives one; the service wants one.
    public static let defaultKey = "flagmenu"

    /// The object without white space, its members sorted: who asks twice for one context asks at one address.
    public let json: String

    /// A context of one kind.
    ///
    /// - Parameters:
    ///   - key: whom it is about. Without one it is anonymous, so that the service lists nobody for it.
    ///   - kind: what that is, such as `user` or `org`.
    ///   - attributes: all else that targeting goes by; a `key` and a `kind` among them are passed over.
    public init(key: String? = nil, kind: String = "user", attributes: [String: ContextValue] = [:]) {
        var members = attributes
        if key == nil { members["anonymous"] = true }
        members["key"] = .text(key ?? Self.defaultKey)
        members["kind"] = .text(kind)
        json = ContextValue.members(members).json.text(indented: false)
    }

    /// A context as settings hold it: `{"kind": "user", "key": "u1", "plan": "pro"}`, or
    /// `{"kind": "multi", "user": {"key": "u1"}, "org": {"key": "o1"}}`. Without a kind it is a user.
    ///
    /// - Returns: `nil` where it is no object, or lacks a key.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        let kind = value["kind"].map { $0.text?.string ?? "" } ?? "user"
        guard !kind.isEmpty, kind == "multi" ? Self.isComplete(value) : Self.hasKey(value) else { return nil }
        var members = value.members.map { ($0.key, Self.sorted($0.value)) }
        if value["kind"] == nil { members.append(("kind", .string(kind))) }
        json = Self.object(members).text(indented: false)
    }

    private static func hasKey(_ value: JSONValue) -> Bool { value["key"]?.text?.isEmpty == false }

    private static func isComplete(_ multi: JSONValue) -> Bool {
        multi.count >= 2 && multi.members.allSatisfy { $0.key == "kind" || hasKey($0.value) }
    }

    /// The reader lets no document in that is nested so deep that this could fail.
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
