public import FlagRemote

/// How LaunchDarkly is asked: as its SDKs for browsers do, or with a mobile key as those for mobile apps do.
public struct LaunchDarklySettings: Sendable, Hashable {
    /// How changes are noticed.
    public enum ChangeDetection: String, Sendable, Hashable, CaseIterable {
        /// By the service's stream, and besides by asking every ``pollInterval``.
        case events
        /// By asking every ``pollInterval``.
        case polling
        /// Not at all.
        case none
    }

    /// Where the newer SDKs ask (`Endpoints.ts` of js-core).
    public static let defaultBaseURL = "https://clientsdk.launchdarkly.com"
    /// Where the SDKs listen.
    public static let defaultStreamURL = "https://clientstream.launchdarkly.com"
    /// How often the SDKs ask while an app is in sight: 300 seconds.
    public static let defaultPollInterval = Duration.seconds(300)
    /// The least pause, which the SDKs have for developers: 30 seconds.
    public static let leastPollInterval = Duration.seconds(30)

    /// The client-side ID. With a mobile key it only names the environment.
    public let environment: String
    /// The host that answers.
    public let baseURL: SourceURL
    /// The host that streams.
    public let streamURL: SourceURL
    /// Where it is given it opens the environment, and the paths are those for mobile apps.
    public var mobileKey: Secret?
    /// What proves to an environment in secure mode that the context is no invention: the HMAC that the app's server makes
    /// of the context's key. Whoever has it can ask as that context.
    public var secureModeHash: Secret?
    /// For whom flags are evaluated.
    public var context = LaunchDarklyContext()
    /// Whether the context travels in the body, with the method REPORT, so that no log of addresses holds it. Where the
    /// service or what stands before it does not know that method, it travels in the address all the same.
    public var usesReport = false
    /// Whether the service says why a flag has its value.
    public var wantsReasons = true
    /// How changes are noticed.
    public var changeDetection = ChangeDetection.events
    /// How often the service is asked; `nil` for never, and never more often than every 30 seconds.
    public var pollInterval: Duration? = defaultPollInterval
    /// Flags whose keys do not begin with it are passed over; empty for none.
    public var keyPrefix = ""

    /// Settings for an environment.
    ///
    /// - Parameters:
    ///   - environment: its client-side ID, which is no secret; for `ldcli dev-server` the key of the project. Together
    ///     with a mobile key any name that tells environments apart.
    ///   - baseURL: a Relay Proxy or a dev server in place of LaunchDarkly's own.
    ///   - streamURL: where that one streams, if not at `baseURL`.
    /// - Throws: what is wrong with the environment or an address.
    public init(environment: String, baseURL: String? = nil, streamURL: String? = nil) throws(SourceError) {
        // What else stands in an address, as behind a "?", may be a credential.
        guard !environment.isEmpty,
            environment.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || "._-~".contains($0) })
        else {
            throw SourceError(
                code: .rejected, path: "launchdarkly",
                sentence: "an environment is named by its client-side ID, of letters, digits, \".\", \"_\" and \"-\"")
        }
        guard !RedactedURL.isSDKKey(environment) else {
            // It is a credential, so that it is not shown.
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
