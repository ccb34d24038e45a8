public import FlagRemote

/// Settings for a Split evaluator, the server that Split (Harness FME) offers for platforms without an SDK.
public struct SplitSettings: Sendable, Hashable {
    /// Which flags are requested.
    public enum Selection: Sendable, Hashable {
        /// All flags of the traffic types of the keys.
        case all
        /// Flags by their names, for the first key.
        case names([String])
        /// Flags by their flag sets, for the first key.
        case sets([String])
    }

    /// How the attributes are sent.
    public enum Question: String, Sendable, Hashable, CaseIterable {
        /// In the URL. The evaluator can respond that nothing has changed.
        case get
        /// In the body, of which the evaluator reads 300 kB, so that they are not in URL logs.
        case post
    }

    /// The URL of an evaluator that is started as documented.
    public static let defaultBaseURL = "http://localhost:7548"
    /// How often an evaluator itself polls at most, as in Split's SDKs for servers: 30 seconds.
    public static let defaultPollInterval = Duration.seconds(30)

    /// The URL before `/client`.
    public let baseURL: SourceURL
    /// The token that the evaluator is configured to require; without one it is open.
    public var token: Secret?
    /// Distinguishes environments, if one evaluator serves several and the token selects one.
    public var environment: String?
    /// The keys that flags are evaluated for.
    public var keys = [SplitKey()]
    /// Attributes for conditions.
    public var attributes = SplitAttributes()
    /// Which flags are requested.
    public var selection = Selection.all
    /// How the attributes are sent.
    public var question = Question.get
    /// Whether the evaluations count as impressions. A developer's look at all flags should not.
    public var countsImpressions = false
    /// How often the evaluator is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix that names must have; empty for none.
    public var keyPrefix = ""

    /// Settings for an evaluator.
    ///
    /// - Parameter baseURL: `http://localhost:7548`, with a path if it is below one, but without `/client`.
    /// - Throws: why the URL is not valid.
    public init(baseURL text: String = defaultBaseURL) throws(SourceError) {
        baseURL = try SourceURL(
            base: text, of: "a Split evaluator", example: Self.defaultBaseURL, insteadUse: "a token", before: "/client")
    }
}
