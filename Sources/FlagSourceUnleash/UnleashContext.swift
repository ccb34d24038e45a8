public import FlagModel
import FlagRemote

/// The evaluation context: the fields of Unleash's protocol, and properties for everything else.
public struct UnleashContext: Sendable, Hashable {
    /// The default app name; the service uses it for statistics and filters.
    public static let defaultAppName = "flagmenu"

    /// The default session. Without a session the server chooses one for each request, so that toggles that are on for
    /// a share of all sessions change randomly.
    public static let defaultSessionID = "flagmenu"

    /// The user's id.
    public var userID: String?
    /// The session's id. If there is no user id, the session decides whether a toggle for a share of all users is on,
    /// so an app should store the id.
    public var sessionID = defaultSessionID
    /// The IP address of the user.
    public var remoteAddress: String?
    /// The environment, for constraints only: the token selects the environment whose toggles are sent.
    public var environment: String?
    /// The name of the app.
    public var appName = defaultAppName
    /// The time for date strategies, as ISO 8601; `nil` for the time of the service.
    public var currentTime: String?
    /// Further attributes.
    public var properties: FlagTable<String> = [:]

    /// A context with only the app's name and the session.
    public init() {}

    /// A context from settings: `{"userId": "1", "properties": {"plan": "pro"}}`. Unknown members are properties, as
    /// for the service.
    ///
    /// - Returns: `nil` if the value is not an object, or a member is not a string, number or bool.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        for member in value.members {
            guard member.key != "properties" else {
                guard let newProperties = Self.properties(member.value) else { return nil }
                properties.merge(newProperties) { _, new in new }
                continue
            }
            guard let text = Self.text(member.value) else { return nil }
            switch member.key.string {
            case "userId": userID = text
            case "sessionId": sessionID = text
            case "remoteAddress": remoteAddress = text
            case "environment": environment = text
            case "appName": appName = text
            case "currentTime": currentTime = text
            default: properties[member.key.string] = text
            }
        }
    }

    private static func properties(_ value: JSONValue) -> FlagTable<String>? {
        guard value.kind == .object else { return nil }
        var result: FlagTable<String> = [:]
        for member in value.members {
            guard let text = text(member.value) else { return nil }
            result[member.key.string] = text
        }
        return result
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value.kind {
        case .string, .number, .bool: value.flagText?.string
        case .object, .array, .null: nil
        }
    }

    /// The fields that are set, by their protocol names.
    private var fields: [(name: String, value: String)] {
        let all = [
            ("appName", appName), ("currentTime", currentTime), ("environment", environment),
            ("remoteAddress", remoteAddress), ("sessionId", sessionID), ("userId", userID),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    private var sortedProperties: [(name: String, value: String)] {
        properties.sortedByKey.map { (name: $0.key, value: $0.value) }
    }

    /// The query items. The names are percent-encoded, the values are not.
    var query: [(name: String, value: String)] {
        fields + sortedProperties.map { (PercentEncoding.encoded("properties[\($0.name)]"), $0.value) }
    }

    /// The context as JSON without white space.
    public var json: String {
        var members = fields.map { ($0.name, JSONOutput.string($0.value)) }
        if !properties.isEmpty {
            members.append(("properties", .object(sortedProperties.map { ($0.name, .string($0.value)) })))
        }
        return JSONOutput.object(members).text(indented: false)
    }
}
