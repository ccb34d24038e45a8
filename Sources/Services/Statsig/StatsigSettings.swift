public import FlagModel
public import FlagRemote

// Re-exported so that an app imports only this module and FlagSourceHTTP.
@_exported public import enum FlagRemote.ContextValue
@_exported public import struct FlagRemote.Secret

/// Settings for Statsig, with the API of its SDKs for browsers and mobile apps.
public struct StatsigSettings: Sendable, Hashable {
    /// The base URL of the SDKs (`NetworkConfig.ts` of js-client-monorepo, `StatsigOptions.swift` of ios-sdk).
    public static let defaultBaseURL = "https://featureassets.org/v1"
    /// The default poll interval: 60 seconds. The SDK for iOS has the same interval if an app turns automatic updates
    /// on (`StatsigOptions.swift` of ios-sdk).
    public static let defaultPollInterval = Duration.seconds(60)

    /// The URL before `/initialize`.
    public let baseURL: SourceURL
    /// A client key, such as `client-…`.
    public let clientKey: Secret
    /// The user that flags are evaluated for.
    public var user = StatsigUser()
    /// The environment tier, such as `staging`; `nil` for `production`.
    public var environment: String?
    /// The names of the gates, configs, experiments and layers to read; empty for all. Without this list, Statsig must
    /// send readable names. It sends them only to projects that it has authorized. With this list, Statsig may send
    /// hashes.
    public var names: [String] = []
    /// How often the service is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix of the names to read; empty for all names.
    public var keyPrefix = ""

    /// Settings for a project.
    ///
    /// - Parameters:
    ///   - clientKey: a client key. Statsig's SDKs for apps reject server secret keys, too.
    ///   - baseURL: the URL of a proxy, as for the SDKs' option `api`; a trailing `/initialize`, as in their option
    ///     `initializeUrl`, is allowed.
    /// - Throws: why the URL or the key is not valid.
    public init(clientKey: Secret, baseURL text: String = defaultBaseURL) throws(SourceError) {
        baseURL = try SourceURL(
            base: text, of: "Statsig's API for apps", example: Self.defaultBaseURL, insteadUse: "a client key",
            without: ["/initialize"])
        let key = clientKey.reveal()
        guard !key.hasPrefix("secret-"), !key.hasPrefix("console-") else {
            throw SourceError(
                .rejected, of: "statsig:\(baseURL.authority)",
                "the key was not sent, because it is a server secret key or a console key; use a client key, which "
                    + "begins with \"client-\" and is listed beside the other keys in the Statsig console")
        }
        self.clientKey = clientKey
    }
}

/// The evaluation context: a user with the fields of Statsig's SDKs (`StatsigUser.ts` of js-client-monorepo).
public struct StatsigUser: Sendable, Hashable {
    /// The default stable ID. The SDKs create a stable ID for each installation of an app, so an app should create and
    /// store its own.
    public static let defaultStableID = "flagmenu"

    /// The user's ID.
    public var userID: String?
    /// The user's email address.
    public var email: String?
    /// The user's IP address. By default, Statsig uses the address of the request, and also derives the country from
    /// it.
    public var ip: String?
    /// The user agent, from which Statsig derives the browser and the system.
    public var userAgent: String?
    /// The country, as two letters.
    public var country: String?
    /// The locale, such as `en_US`.
    public var locale: String?
    /// The version of the app.
    public var appVersion: String?
    /// Further attributes for conditions.
    public var custom: FlagTable<ContextValue> = [:]
    /// Attributes for conditions that Statsig does not store.
    public var privateAttributes: FlagTable<ContextValue> = [:]
    /// Further IDs, by ID type. The ID type of flags for devices is `stableID`.
    public var customIDs: FlagTable<String> = ["stableID": defaultStableID]

    /// A user with an ID.
    public init(userID: String? = nil) { self.userID = userID }

    /// A user from settings: `{"userID": "1", "custom": {"plan": "pro"}}`. Unknown members are custom attributes,
    /// because a condition reads a custom attribute if the user has no field with that name. `stableID` is one of the
    /// custom IDs.
    ///
    /// - Returns: `nil` if the value is not an object, or if a member has an unsupported type or is a misspelled field.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        for (key, member) in value.members {
            let name = key.string
            guard Self.mistakes[name] == nil else { return nil }
            switch name {
            case "custom", "privateAttributes":
                guard let table = member.table(Self.attribute) else { return nil }
                self[keyPath: name == "custom" ? \StatsigUser.custom : \StatsigUser.privateAttributes].merge(table) {
                    _, new in new
                }
            case "customIDs":
                guard let ids = member.table(\.scalarText) else { return nil }
                customIDs.merge(ids) { _, new in new }
            case "stableID":
                guard let id = member.scalarText else { return nil }
                customIDs[name] = id
            default:
                if let field = Self.fields.first(where: { $0.name == name }) {
                    guard let text = member.scalarText else { return nil }
                    self[keyPath: field.path] = text
                } else {
                    guard let attribute = Self.attribute(member) else { return nil }
                    custom[name] = attribute
                }
            }
        }
    }

    /// Names that users confuse with fields, each with the correct name.
    package static let mistakes = [
        "userId": "userID", "user_id": "userID", "customIds": "customIDs", "stableId": "stableID",
        "statsigEnvironment": "environment",
    ]

    /// The fields by their names in Statsig's format, sorted.
    private static let fields: [(name: String, path: any WritableKeyPath<StatsigUser, String?> & Sendable)] = [
        ("appVersion", \.appVersion), ("country", \.country), ("email", \.email), ("ip", \.ip), ("locale", \.locale),
        ("userAgent", \.userAgent), ("userID", \.userID),
    ]

    /// The attribute with a JSON value; `nil` if Statsig has no attributes of that type.
    private static func attribute(_ value: JSONValue) -> ContextValue? {
        guard value.kind != .array || value.elements.allSatisfy({ $0.kind == .string }) else { return nil }
        return ContextValue(value)
    }

    /// The user in Statsig's format, with sorted members.
    ///
    /// - Parameter environment: the environment tier; `nil` for none.
    func json(environment: String?) -> JSONOutput {
        var members = Self.fields.compactMap { field in
            self[keyPath: field.path].map { (field.name, JSONOutput.string($0)) }
        }
        let ids = customIDs.sortedByKey.map { ($0.key, JSONOutput.string($0.value)) }
        if !ids.isEmpty { members.append(("customIDs", .object(ids))) }
        for (name, attributes) in [("custom", custom), ("privateAttributes", privateAttributes)]
        where !attributes.isEmpty {
            members.append((name, .object(ContextValue.sorted(attributes))))
        }
        if let environment { members.append(("statsigEnvironment", .object([("tier", .string(environment))]))) }
        return .object(members)
    }
}
