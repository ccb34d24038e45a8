public import FlagRemote

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
        var url = try SourceURL(
            base: text, of: "Statsig's API for apps", example: Self.defaultBaseURL, insteadUse: "a client key")
        if url.path.hasSuffix("/initialize") { url.path.removeLast("/initialize".count) }
        if url.path.isEmpty { url.path = "/" }
        let key = clientKey.reveal()
        guard !key.hasPrefix("secret-"), !key.hasPrefix("console-") else {
            throw SourceError(
                code: .rejected, path: "statsig:\(url.authority)",
                sentence:
                    "the key was not sent, because it is a server secret key or a console key; use a client key, which "
                    + "begins with \"client-\" and is listed beside the other keys in the Statsig console")
        }
        baseURL = url
        self.clientKey = clientKey
    }
}
