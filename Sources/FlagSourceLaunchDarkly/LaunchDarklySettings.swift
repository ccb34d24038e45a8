public import FlagRemote

/// Settings for LaunchDarkly, as its SDKs for browsers use it, or with a mobile key as those for mobile apps do.
public struct LaunchDarklySettings: Sendable, Hashable {
    /// How changes are noticed.
    public enum ChangeDetection: String, Sendable, Hashable, CaseIterable {
        /// By the service's stream, and also by polling every ``pollInterval``.
        case events
        /// By polling every ``pollInterval``.
        case polling
        /// Not at all.
        case none
    }

    /// The base URL of the newer SDKs (`Endpoints.ts` of js-core).
    public static let defaultBaseURL = "https://clientsdk.launchdarkly.com"
    /// The stream URL of the SDKs.
    public static let defaultStreamURL = "https://clientstream.launchdarkly.com"
    /// How often the SDKs poll while an app is visible: 300 seconds.
    public static let defaultPollInterval = Duration.seconds(300)
    /// The shortest interval, which the SDKs have for developers: 30 seconds.
    public static let leastPollInterval = Duration.seconds(30)

    /// The client-side ID. With a mobile key it only names the environment.
    public let environment: String
    /// The URL that responds.
    public let baseURL: SourceURL
    /// The URL that streams.
    public let streamURL: SourceURL
    /// If set, it authenticates to the environment, and the paths are those for mobile apps.
    public var mobileKey: Secret?
    /// Proves to an environment in secure mode that the context is genuine: the HMAC that the app's server makes of the
    /// context's key. With it, requests for that context are allowed.
    public var secureModeHash: Secret?
    /// The evaluation context.
    public var context = LaunchDarklyContext()
    /// Whether the context is sent in the body, with the method REPORT, so that it is not in URL logs. If the service
    /// or a proxy does not know that method, it is sent in the URL anyway.
    public var usesReport = false
    /// Whether the service sends why a flag has its value.
    public var wantsReasons = true
    /// How changes are noticed.
    public var changeDetection = ChangeDetection.events
    /// How often the service is polled; `nil` for never, and at most every 30 seconds.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix that keys must have; empty for none.
    public var keyPrefix = ""

    /// Settings for an environment.
    ///
    /// - Parameters:
    ///   - environment: its client-side ID, which is not secret; for `ldcli dev-server` the key of the project. Together
    ///     with a mobile key any name that distinguishes environments.
    ///   - baseURL: a Relay Proxy or a dev server in place of LaunchDarkly's own.
    ///   - streamURL: its stream URL, if not `baseURL`.
    /// - Throws: why the environment or a URL is not valid.
    public init(environment: String, baseURL: String? = nil, streamURL: String? = nil) throws(SourceError) {
        // Other parts of a URL, such as after a "?", may be a credential.
        guard !environment.isEmpty,
            environment.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || "._-~".contains($0) })
        else {
            throw SourceError(
                code: .rejected, path: "launchdarkly",
                sentence: "an environment is named by its client-side ID, of letters, digits, \".\", \"_\" and \"-\"")
        }
        guard !RedactedURL.isSDKKey(environment) else {
            // It is a credential, so it is not shown.
            throw SourceError(
                code: .rejected, path: "launchdarkly",
                sentence:
                    "this is a key, not a client-side ID, which the console shows beside it; a key never belongs in a "
                    + "name")
        }
        self.environment = environment
        self.baseURL = try Self.address(baseURL ?? Self.defaultBaseURL)
        self.streamURL = try Self.address(streamURL ?? baseURL ?? Self.defaultStreamURL)
    }

    private static func address(_ text: String) throws(SourceError) -> SourceURL {
        try SourceURL(
            base: text, of: "LaunchDarkly or its relay", example: defaultBaseURL, insteadUse: "a mobile key")
    }
}
