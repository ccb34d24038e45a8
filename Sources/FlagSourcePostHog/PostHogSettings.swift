public import FlagRemote

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
            base: text, of: "PostHog", example: Self.usBaseURL, insteadUse: "a project API key", before: "/flags")
        baseURL = Self.hosts[url.host].flatMap { SourceURL($0) } ?? url
        self.projectAPIKey = projectAPIKey
        for (prefix, words) in Self.otherKeys where projectAPIKey.reveal().hasPrefix(prefix) {
            throw SourceError(
                code: .rejected, path: name,
                sentence: "the key was not sent, because it begins with \(prefix) and is \(words); use the project API "
                    + "key, which begins with phc_", cause: nil,
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
