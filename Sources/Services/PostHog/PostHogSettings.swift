public import FlagModel
public import FlagRemote

@_exported public import struct FlagRemote.ContextAttributes
// Re-exported so that an app imports only this module and FlagSourceHTTP.
@_exported public import enum FlagRemote.ContextValue
@_exported public import struct FlagRemote.Secret

/// Settings for the flags endpoint of PostHog Cloud or of a self-hosted PostHog.
public struct PostHogSettings: Sendable, Hashable {
    /// Where a flag may be evaluated, according to the flag's settings in PostHog.
    public enum EvaluationRuntime: String, Sendable, Hashable, CaseIterable {
        /// In apps and on servers: all flags are listed.
        case all
        /// In apps.
        case client
        /// On servers.
        case server
    }

    /// The US cloud, the default host of PostHog's clients (PostHog/posthog-ios, `PostHog/PostHogConfig.swift`).
    public static let usBaseURL = "https://us.i.posthog.com"
    /// The EU cloud.
    public static let euBaseURL = "https://eu.i.posthog.com"
    /// The default poll interval: 5 minutes, as in PostHog's client for browsers (`remote_config_refresh_interval_ms`).
    /// PostHog bills each request (<https://posthog.com/docs/feature-flags/cutting-costs>).
    public static let defaultPollInterval = Duration.seconds(300)

    /// The URL before `/flags`.
    public let baseURL: SourceURL
    /// The project API key. Apps contain it, but it still gives access to the project's flags.
    public let projectAPIKey: Secret
    /// The evaluation context.
    public var context = PostHogContext()
    /// The keys of the requested flags; empty for all flags.
    public var flagKeys: [String] = []
    /// The runtime whose flags are requested.
    public var evaluationRuntime = EvaluationRuntime.all
    /// The evaluation contexts, which are tags of flags. A flag with tags is evaluated only if one of its tags is
    /// listed here. Empty to evaluate all flags.
    public var evaluationContexts: [String] = []
    /// Whether PostHog looks up the location of the IP address that the request comes from, for `$geoip_` properties.
    public var usesGeoIP = true
    /// How often the flags are polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix of the keys to read; empty for all keys.
    public var keyPrefix = ""

    /// Settings for a project.
    ///
    /// - Parameters:
    ///   - baseURL: ``usBaseURL``, ``euBaseURL``, or the URL of a self-hosted PostHog or of a reverse proxy, without
    ///     `/flags`.
    ///   - projectAPIKey: the key that begins with `phc_`.
    /// - Throws: why the URL is not valid, or that the key is of a kind that must not be sent to this endpoint.
    public init(baseURL text: String = usBaseURL, projectAPIKey: Secret) throws(SourceError) {
        let url = try SourceURL(
            base: text, of: "PostHog", example: Self.usBaseURL, insteadUse: "a project API key", without: ["/flags"])
        baseURL = Self.hosts[url.host].flatMap { SourceURL($0) } ?? url
        self.projectAPIKey = projectAPIKey
        for (prefix, words) in Self.otherKeys where projectAPIKey.reveal().hasPrefix(prefix) {
            throw SourceError(
                .rejected, of: name,
                "the key was not sent, because it begins with \(prefix) and is \(words); use the project API "
                    + "key, which begins with phc_",
                remedies: ["Use the project API key (phc_…) from the project's settings in PostHog as the key."])
        }
    }

    /// The hosts of PostHog's web app, each with the URL that serves PostHog's clients (PostHog/posthog-python,
    /// `posthog/request.py`, `determine_server_host`).
    private static let hosts = [
        "app.posthog.com": usBaseURL, "us.posthog.com": usBaseURL, "eu.posthog.com": euBaseURL,
    ]

    /// The beginnings of secret keys, which are not for this endpoint, each with a description
    /// (<https://posthog.com/docs/api>).
    private static let otherKeys = [("phx_", "a personal API key"), ("phs_", "a secret API key of the project")]
}

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
            case "distinct_id", "device_id":
                guard let id = member.idText else { return nil }
                if key == "distinct_id" { distinctID = id } else { deviceID = id }
            case "groups":
                guard let keys = member.table(\.idText) else { return nil }
                groups = keys
            case "person_properties":
                guard let members = member.table({ Optional($0.compactJSON) }) else { return nil }
                properties.merge(members) { outer, _ in outer }
            case "group_properties":
                guard let properties = member.table({ ContextAttributes($0) }) else { return nil }
                groupProperties = properties
            default: properties[key.string] = member.compactJSON
            }
        }
        personProperties = ContextAttributes(members: properties)
    }

    /// The context as members of a request. Each object is sorted, so equal contexts have equal JSON.
    var members: [(String, JSONOutput)] {
        let ids = [("distinct_id", distinctID)] + (deviceID.map { [("device_id", $0)] } ?? [])
        return ids.map { ($0, JSONOutput.string($1)) } + [
            ("groups", .object(groups.sortedByKey.map { ($0.key, .string($0.value)) })),
            ("person_properties", .raw(personProperties.json)),
            ("group_properties", .object(groupProperties.sortedByKey.map { ($0.key, .raw($0.value.json)) })),
        ]
    }
}
