import FlagModel
public import FlagRemote

@_exported public import struct FlagRemote.ContextAttributes
// Re-exported so that an app imports only this module and FlagSourceHTTP.
@_exported public import enum FlagRemote.ContextValue
@_exported public import struct FlagRemote.Secret

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

    /// The URL of an evaluator that runs as in Split's documentation.
    public static let defaultBaseURL = "http://localhost:7548"
    /// The default poll interval: 30 seconds, the shortest interval at which the evaluator itself polls.
    public static let defaultPollInterval = Duration.seconds(30)

    /// The URL before `/client`.
    public let baseURL: SourceURL
    /// The token that the evaluator requires; `nil` if it requires none.
    public var token: Secret?
    /// The name of the environment, if an evaluator serves several and the token selects one. The name is not sent.
    public var environment: String?
    /// The keys that flags are evaluated for.
    public var keys = [SplitKey()]
    /// Attributes for conditions.
    public var attributes = ContextAttributes()
    /// Which flags are requested.
    public var selection = Selection.all
    /// How the attributes are sent. The evaluator reads a body of up to 300 kB.
    public var requestMethod = RequestMethod.get
    /// Whether evaluations count as impressions; `false`, as a person who looks at all flags does not use them.
    public var countsImpressions = false
    /// How often the evaluator is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix of the names to read; empty for all names.
    public var keyPrefix = ""

    /// Settings for an evaluator.
    ///
    /// - Parameter baseURL: such as `http://localhost:7548`, with a path if the evaluator is below one, but without
    ///   `/client`.
    /// - Throws: why the URL is not valid.
    public init(baseURL text: String = defaultBaseURL) throws(SourceError) {
        baseURL = try SourceURL(
            base: text, of: "a Split evaluator", example: Self.defaultBaseURL, insteadUse: "a token",
            without: ["/client"])
    }
}

/// The evaluation context: a key of one traffic type.
public struct SplitKey: Sendable, Hashable {
    /// The default key.
    public static let defaultMatchingKey = "flagmenu"
    /// The default traffic type, which every new project has.
    public static let defaultTrafficType = "user"

    /// The key for the conditions of a flag.
    public var matchingKey: String
    /// The traffic type; each flag belongs to one.
    public var trafficType: String
    /// The key for percentages; by default the matching key.
    public var bucketingKey: String?

    /// A key.
    public init(
        _ matchingKey: String = defaultMatchingKey, trafficType: String = defaultTrafficType,
        bucketingKey: String? = nil
    ) {
        (self.matchingKey, self.trafficType, self.bucketingKey) = (matchingKey, trafficType, bucketingKey)
    }

    var json: JSONOutput {
        let bucketing = bucketingKey.map { [("bucketingKey", JSONOutput.string($0))] } ?? []
        return .object(
            [("matchingKey", .string(matchingKey)), ("trafficType", .string(trafficType))] + bucketing)
    }
}
