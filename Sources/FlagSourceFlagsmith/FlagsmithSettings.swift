public import FlagRemote

/// Settings for Flagsmith, hosted or on a server of your own, or for its Edge Proxy.
public struct FlagsmithSettings: Sendable, Hashable {
    /// The hosted service (`DEFAULT_API_URL` in `flagsmith/flagsmith.py` of Flagsmith/flagsmith-python-client).
    public static let defaultBaseURL = "https://edge.api.flagsmith.com"
    /// The default poll interval: 60 seconds, as in the Python client (`environment_refresh_interval_seconds`). The
    /// hosted service counts each request (docs.flagsmith.com, "Billing and API Usage").
    public static let defaultPollInterval = Duration.seconds(60)

    /// The URL before `/api/v1`.
    public let baseURL: SourceURL
    /// The key that selects the environment. A client-side key is enough, and is not secret. A server-side key (`ser.`)
    /// is secret.
    public let environmentKey: Secret
    /// The evaluation context.
    public var context = FlagsmithContext()
    /// Whether Flagsmith stores the identity and its traits, as it does by default for its own clients. The default
    /// here is `false`, so that reading flags creates no identities. Flagsmith before 2.130 always stores both, and the
    /// Edge Proxy stores neither.
    public var storesIdentity = false
    /// How often the service is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix of the names to read; empty for all names.
    public var keyPrefix = ""

    /// Settings for an environment.
    ///
    /// - Parameters:
    ///   - baseURL: `https://flagsmith.example.com`; a trailing `/api/v1`, as in the settings of Flagsmith's own
    ///     clients, is allowed.
    ///   - environmentKey: the key of the environment.
    /// - Throws: why the URL is not valid.
    public init(baseURL text: String = defaultBaseURL, environmentKey: Secret) throws(SourceError) {
        var url = try SourceURL(
            base: text, of: "a Flagsmith server", example: "https://flagsmith.example.com",
            insteadUse: "an environment key")
        for end in ["/api/v1/flags", "/api/v1/identities", "/api/v1", "/api"] where url.path.hasSuffix(end) {
            url.path.removeLast(end.count)
            break
        }
        if url.path.isEmpty { url.path = "/" }
        baseURL = url
        self.environmentKey = environmentKey
    }
}
