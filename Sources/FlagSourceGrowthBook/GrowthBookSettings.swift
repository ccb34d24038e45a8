public import FlagRemote

/// Settings for GrowthBook, with the endpoints of its SDKs: of GrowthBook Cloud, a self-hosted server or a proxy.
public struct GrowthBookSettings: Sendable, Hashable {
    /// Where the rules of features are evaluated.
    public enum Evaluation: String, Sendable, Hashable, CaseIterable {
        /// Here: the service sends the rules of all features. Rules that this source does not support give no value.
        case local
        /// By the server, which gets the attributes. Only self-hosted servers and the GrowthBook Proxy evaluate.
        case remote
    }

    /// The API host of GrowthBook Cloud (`getApiHosts` in `packages/sdk-js/src/core.ts`).
    public static let defaultBaseURL = "https://cdn.growthbook.io"
    /// The default poll interval: 60 seconds, after which the JavaScript SDK's features are stale (`staleTTL` in
    /// `packages/sdk-js/src/feature-repository.ts`).
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
    ///   - baseURL: the API host, with a path if the server is below one, but without `/api/features`.
    ///   - clientKey: the client key, such as `sdk-abc123`.
    /// - Throws: why the URL or the key is not valid.
    public init(baseURL text: String = defaultBaseURL, clientKey: Secret) throws(SourceError) {
        if let url = SourceURL(text), ["/api/features", "/api/eval"].contains(where: { url.path.contains($0) }) {
            // The whole path may contain the client key, so it is not shown.
            throw SourceError(
                code: .rejected, path: "growthbook:\(url.authority)",
                sentence: "leave out /api/… at the end of the URL; it is added, with the client key")
        }
        baseURL = try SourceURL(
            base: text, of: "a GrowthBook API host", example: Self.defaultBaseURL, insteadUse: "a client key")
        // The prefix of secret API keys (docs/api/introduction.mdx). A key would be sent in the URL.
        guard !clientKey.reveal().hasPrefix("secret_") else {
            throw SourceError(
                code: .rejected, path: "growthbook:\(baseURL.authority)",
                sentence: "this is a secret API key; use the client key of an SDK connection, which begins with sdk-")
        }
        self.clientKey = clientKey
    }

    /// Whether the API host is GrowthBook Cloud, which does not evaluate (`is_cloud_host` in the Python SDK's
    /// `common_types.py`).
    var isCloud: Bool { baseURL.host == "growthbook.io" || baseURL.host.hasSuffix(".growthbook.io") }
}
