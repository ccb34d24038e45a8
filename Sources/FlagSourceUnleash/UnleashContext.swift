public import FlagModel
import FlagRemote

/// The evaluation context, in Unleash's fields; everything else is a property.
public struct UnleashContext: Sendable, Hashable {
    /// The default app name, by which the service counts and filters.
    public static let defaultAppName = "flagmenu"

    /// The default session. Without any, the server draws one for each request, and toggles that are on for a share of
    /// all sessions change randomly.
    public static let defaultSessionID = "flagmenu"

    /// The user.
    public var userID: String?
    /// The session. It decides toggles for a share of all users if no user is named, so an app should store one.
    public var sessionID = defaultSessionID
    /// The IP address of the user.
    public var remoteAddress: String?
    /// The environment for constraints; the token alone decides which environment's toggles are sent.
    public var environment: String?
    /// The app.
    public var appName = defaultAppName
    /// The time for date strategies, as ISO 8601; by default the service's own.
    public var currentTime: String?
    /// Everything else.
    public var properties: [String: String] = [:]

    /// A context with only the app's name and the session.
    public init() {}

    /// A context from settings: `{"userId": "1", "properties": {"plan": "pro"}}`. Members that the service has no field
    /// for are properties, as in its own server.
    ///
    /// - Returns: `nil` if the value is not an object, or a member not a string, number or bool.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        for member in value.members {
            guard member.key != "properties" else {
                guard let found = Self.properties(member.value) else { return nil }
                properties.merge(found) { _, new in new }
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

    private static func properties(_ value: JSONValue) -> [String: String]? {
        guard value.kind == .object else { return nil }
        var result: [String: String] = [:]
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
        properties.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// The query items: names as they are sent, brackets encoded; values not encoded yet.
    var query: [(name: String, value: String)] {
        fields + sortedProperties.map { (PercentEncoding.encoded("properties[\($0.name)]"), $0.value) }
    }

    /// The fields as a JSON object without white space.
    public var json: String {
        var members = fields.map { ($0.name, JSONOutput.string($0.value)) }
        if !properties.isEmpty {
            members.append(("properties", .object(sortedProperties.map { ($0.name, .string($0.value)) })))
        }
        return JSONOutput.object(members).text(indented: false)
    }
}
