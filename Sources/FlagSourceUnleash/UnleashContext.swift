public import FlagModel
import FlagRemote

/// For whom toggles are evaluated, in the fields that Unleash has for it; what it has none for is a property.
public struct UnleashContext: Sendable, Hashable {
    /// The app's name where nobody gives one; the service counts and filters by it.
    public static let defaultAppName = "flagmenu"

    /// The session where nobody gives one. Without any, the server draws one for each question, and toggles that are on for
    /// a share of all sessions come and go.
    public static let defaultSessionID = "flagmenu"

    /// The user.
    public var userID: String?
    /// The session. What is on for a share of all users goes by it where no user is named, so an app names one that it
    /// keeps.
    public var sessionID = defaultSessionID
    /// The address that the user comes from.
    public var remoteAddress: String?
    /// The environment that constraints see; which environment's toggles are told the token alone decides.
    public var environment: String?
    /// The app.
    public var appName = defaultAppName
    /// The moment that strategies by date go by, as ISO 8601; left out it is the service's.
    public var currentTime: String?
    /// Everything else.
    public var properties: [String: String] = [:]

    /// A context with nothing but the app's name and the session.
    public init() {}

    /// A context as settings hold it: `{"userId": "1", "properties": {"plan": "pro"}}`. Members that the service has no
    /// field for are properties, as its own server takes them.
    ///
    /// - Returns: `nil` where the value is no object, or a member no string, number or bool.
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

    /// The fields that are there, by the names of the protocol.
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

    /// The items of a query: names as they are sent, brackets encoded; values not yet.
    var query: [(name: String, value: String)] {
        fields + sortedProperties.map { (PercentEncoding.encoded("properties[\($0.name)]"), $0.value) }
    }

    /// The same as a JSON object without white space.
    public var json: String {
        var members = fields.map { ($0.name, JSONOutput.string($0.value)) }
        if !properties.isEmpty {
            members.append(("properties", .object(sortedProperties.map { ($0.name, .string($0.value)) })))
        }
        return JSONOutput.object(members).text(indented: false)
    }
}
