#if Network
public import FlagModel
public import FlagRemote

/// The suite that every source passes. It creates the source, and has a healthy service and the values that the source
/// must read from the service.
public struct SourceConformanceSuite: Sendable {
    /// Creates a source for the service at `url`. Two sources for the same address have the same identity.
    public var source: @Sendable (_ url: String, _ client: SourceClient) throws -> any RemoteSource
    /// The healthy service. If the service has versions, it responds with 304 to a client that has the newest version.
    public var service: @Sendable (LoopbackRequest) async -> LoopbackReply
    /// The values of the service's flags, by key.
    public var values: FlagTable<String>
    /// The credentials of the source, which must not appear anywhere.
    public var secrets: [String]
    /// The transport that sends the requests.
    public var transport: any SourceTransport
    /// Whether the service sends a version with its responses.
    public var hasVersions: Bool
    /// Whether the source takes the base URL of a service: one without a scheme, with user information or with a query is
    /// an error.
    public var hasBaseURL: Bool
    /// The ends of paths that users copy with the base URL, and that the source leaves out.
    public var urlEnds: [String]
    /// Responses in which the service explains an error, each with the code and words of the source's error. Credentials
    /// in these words are `***`.
    public var explanations: [(reply: LoopbackReply, code: SourceError.Code, words: String)]
    /// The number of requests of one successful fetch.
    public var requestsPerFetch = 1
    /// Whether a fetch, like those of the service's own clients, is not retried after a transient error.
    public var neverRetries = false
    /// The faults after which the source once tries another kind of request, as these faults may mean that the service
    /// does not support the first kind.
    public var fallbackFaults: Set<SourceFault> = []
    /// Whether faults are injected for a request; by default, for all requests. Exclude earlier requests, such as for a
    /// token, whose failure would prevent the tested requests.
    public var isFaultTarget: @Sendable (LoopbackRequest) -> Bool = { _ in true }

    /// A suite for one source.
    public init(
        source: @escaping @Sendable (_ url: String, _ client: SourceClient) throws -> any RemoteSource,
        service: @escaping @Sendable (LoopbackRequest) async -> LoopbackReply, values: FlagTable<String>,
        secrets: [String], transport: any SourceTransport, hasVersions: Bool = true, hasBaseURL: Bool = false,
        urlEnds: [String] = [],
        explanations: [(reply: LoopbackReply, code: SourceError.Code, words: String)] = []
    ) {
        self.source = source
        self.service = service
        self.values = values
        self.secrets = secrets
        self.transport = transport
        self.hasVersions = hasVersions
        self.hasBaseURL = hasBaseURL
        self.urlEnds = urlEnds
        self.explanations = explanations
    }
}

/// The findings about a source.
public struct ConformanceError: Error, CustomStringConvertible {
    /// A sentence for each error.
    public let findings: [String]

    /// The sentences, one per line.
    public var description: String { findings.joined(separator: "\n") }
}
#endif
