public import FlagRemote

/// Settings for the SDK endpoints of GrowthBook Cloud, a self-hosted server or a proxy.
public struct GrowthBookSettings: Sendable, Hashable {
    /// Where the rules of features are evaluated.
    public enum Evaluation: String, Sendable, Hashable, CaseIterable {
        /// By this source. The service sends the rules of all features. A rule that this source does not support gives
        /// no value.
        case local
        /// By the server, which gets the attributes. Only self-hosted servers and the GrowthBook Proxy can do this.
        case remote
    }

    /// The API host of GrowthBook Cloud (`getApiHosts` in `packages/sdk-js/src/core.ts`).
    public static let defaultBaseURL = "https://cdn.growthbook.io"
    /// The default poll interval: 60 seconds. The JavaScript SDK treats features as stale after the same time
    /// (`staleTTL` in `packages/sdk-js/src/feature-repository.ts`).
    public static let defaultPollInterval = Duration.seconds(60)

    /// The API host: the URL before `/api/features`.
    public let baseURL: SourceURL
    /// The client key of an SDK connection.
    public let clientKey: Secret
    /// The attributes that features are evaluated for.
    public var attributes = ContextAttributes()
    /// Where the rules are evaluated.
    public var evaluation = Evaluation.local
    /// How often the service is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix of the keys to read; empty for all keys.
    public var keyPrefix = ""

    /// Settings for an SDK connection.
    ///
    /// - Parameters:
    ///   - baseURL: the URL of the API host. It includes the server's path, if there is one, but not `/api/features`.
    ///   - clientKey: the client key, such as `sdk-abc123`.
    /// - Throws: why the URL or the key is not valid.
    public init(baseURL text: String = defaultBaseURL, clientKey: Secret) throws(SourceError) {
        if let url = SourceURL(text), ["/api/features", "/api/eval"].contains(where: { url.path.contains($0) }) {
            // The path may contain the client key, so the error does not show the path.
            throw SourceError(
                .rejected, of: "growthbook:\(url.authority)",
                "leave out /api/… at the end of the URL; the source adds this path with the client key")
        }
        baseURL = try SourceURL(
            base: text, of: "a GrowthBook API host", example: Self.defaultBaseURL, insteadUse: "a client key")
        // Secret API keys begin with this prefix (docs/api/introduction.mdx). The source would send the key in the URL.
        guard !clientKey.reveal().hasPrefix("secret_") else {
            throw SourceError(
                .rejected, of: "growthbook:\(baseURL.authority)",
                "this is a secret API key; use the client key of an SDK connection, which begins with sdk-")
        }
        self.clientKey = clientKey
    }

    /// Whether the API host is GrowthBook Cloud, which has no remote evaluation (`is_cloud_host` in the Python SDK's
    /// `common_types.py`).
    var isCloud: Bool { baseURL.host == "growthbook.io" || baseURL.host.hasSuffix(".growthbook.io") }
}
