public import FlagModel
public import FlagRemote

// Re-exported so that an app imports only this module and FlagSourceHTTP.
@_exported public import struct FlagRemote.Secret

/// Settings for Unleash's front-end API, of the server itself or of Unleash Edge in front of it.
public struct UnleashSettings: Sendable, Hashable {
    /// The default refresh interval: 15 seconds, as in Unleash's clients for apps.
    public static let defaultRefreshInterval = Duration.seconds(15)

    /// The URL before `/api/frontend`.
    public let baseURL: SourceURL
    /// A front-end token; the service rejects other kinds.
    public let token: Secret
    /// A backend token of the same environment. Older versions of Unleash call it a client token. With this token, the
    /// source reads the names of all toggles, because the front-end API lists only toggles that are on.
    public var backendToken: Secret?
    /// The evaluation context.
    public var context = UnleashContext()
    /// How the context is sent.
    public var requestMethod = RequestMethod.get
    /// The interval between two requests; `nil` or zero for never.
    public var refreshInterval: Duration? = defaultRefreshInterval
    /// The prefix of the names to read; empty for all names.
    public var keyPrefix = ""

    /// Settings for a server.
    ///
    /// - Parameters:
    ///   - baseURL: `https://flags.example.com`; a trailing `/api/frontend`, as in the service's documentation, is
    ///     allowed.
    ///   - token: a front-end token.
    /// - Throws: why the URL is not valid.
    public init(baseURL text: String, token: Secret) throws(SourceError) {
        baseURL = try SourceURL(
            base: text, of: "an Unleash server", example: "https://unleash.example.com",
            insteadUse: "a front-end token", without: ["/frontend", "/api"])
        self.token = token
    }

    /// The part of the token before its first dot, `project:environment`, which is not secret; empty if the token has
    /// another form. This part distinguishes environments at the same URL.
    var scope: String {
        guard let dot = token.reveal().firstIndex(of: ".") else { return "" }
        let scope = token.reveal()[..<dot]
        return scope.contains(":") ? String(scope) : ""
    }
}

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
                guard let newProperties = member.value.table(\.scalarText) else { return nil }
                properties.merge(newProperties) { _, new in new }
                continue
            }
            guard let text = member.value.scalarText else { return nil }
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

    /// The fields that are set, by their protocol names.
    private var fields: [(name: String, value: String)] {
        let all = [
            ("appName", appName), ("currentTime", currentTime), ("environment", environment),
            ("remoteAddress", remoteAddress), ("sessionId", sessionID), ("userId", userID),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The query items. The names are percent-encoded, the values are not.
    var query: [(name: String, value: String)] {
        fields + properties.sortedByKey.map { (PercentEncoding.encoded("properties[\($0.key)]"), $0.value) }
    }

    /// The context as JSON without white space.
    public var json: String {
        var members = fields.map { ($0.name, JSONOutput.string($0.value)) }
        if !properties.isEmpty {
            members.append(("properties", .object(properties.sortedByKey.map { ($0.key, .string($0.value)) })))
        }
        return JSONOutput.object(members).text(indented: false)
    }
}
