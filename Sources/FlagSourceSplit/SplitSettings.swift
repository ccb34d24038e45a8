public import FlagRemote

/// How a Split evaluator is asked: the server that Split (Harness FME) offers for platforms without an SDK.
public struct SplitSettings: Sendable, Hashable {
    /// Which flags are asked for.
    public enum Selection: Sendable, Hashable {
        /// All flags of the traffic types of the keys.
        case all
        /// Flags by their names, for the first key.
        case names([String])
        /// Flags by their flag sets, for the first key.
        case sets([String])
    }

    /// How the attributes travel.
    public enum Question: String, Sendable, Hashable, CaseIterable {
        /// In the address. The evaluator can answer that nothing has changed.
        case get
        /// In the body, of which the evaluator reads 300 kB, so that no log of addresses holds it.
        case post
    }

    /// Where an evaluator is when it is started as its pages say.
    public static let defaultBaseURL = "http://localhost:7548"
    /// How often an evaluator itself asks for changes at most, by the figure of Split's SDKs for servers: 30 seconds.
    public static let defaultPollInterval = Duration.seconds(30)

    /// The address before `/client`.
    public let baseURL: SourceURL
    /// What an evaluator is told to want; one that is told nothing is open.
    public var token: Secret?
    /// Tells environments apart, where one evaluator serves several and the token opens one of them.
    public var environment: String?
    /// For whom flags are evaluated.
    public var keys = [SplitKey()]
    /// Facts that conditions go by.
    public var attributes = SplitAttributes()
    /// Which flags are asked for.
    public var selection = Selection.all
    /// How the attributes travel.
    public var question = Question.get
    /// Whether the evaluations count in Split's figures. A developer's look at all flags is no use of them.
    public var countsImpressions = false
    /// How often the evaluator is asked; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// Flags whose names do not begin with it are passed over; empty for none.
    public var keyPrefix = ""

    /// Settings for an evaluator.
    ///
    /// - Parameter baseURL: `http://localhost:7548`, with a path where it lies below one, but without `/client`.
    /// - Throws: what is wrong with the address.
    public init(baseURL text: String = defaultBaseURL) throws(SourceError) {
        baseURL = try SourceURL(
            base: text, of: "a Split evaluator", example: Self.defaultBaseURL, insteadUse: "a token", before: "/client")
    }
}
