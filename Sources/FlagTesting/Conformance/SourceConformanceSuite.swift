public import FlagRemote

/// The suite that every source passes. It makes the source, and has a healthy service and the values that the source
/// must read from it.
public struct SourceConformanceSuite: Sendable {
    /// Makes a source for a service at an address. Two sources for one address are the same source.
    public var source: @Sendable (_ url: String, _ client: SourceClient) throws -> any RemoteSource
    /// The healthy service, with versions: it responds with 304 to a client that has the newest.
    public var service: @Sendable (LoopbackRequest) async -> LoopbackReply
    /// The values of the service's flags, by key.
    public var values: [String: String]
    /// The credentials that the source was made with. They must not appear anywhere.
    public var secrets: [String]
    /// What sends the requests.
    public var transport: any SourceTransport
    /// Whether the service names versions of its responses.
    public var hasVersions: Bool
    /// How many requests one successful fetch takes.
    public var requestsPerFetch: Int
    /// Whether a fetch does not retry after transient errors, as the service's own clients.
    public var neverRetries: Bool
    /// The faults after which the source makes no request for more than an hour, as the service's own clients.
    public var lasting: Set<SourceFault>
    /// The faults after which the source tries another kind of request, once in its life: they may mean that the service does not
    /// support the first.
    public var fallbackFaults: Set<SourceFault>
    /// The requests that faults are injected for: all, unless one that comes first would hide how the source handles a fault, such
    /// as one for a token.
    public var isFaultTarget: @Sendable (LoopbackRequest) -> Bool

    /// A suite for one source.
    public init(
        source: @escaping @Sendable (_ url: String, _ client: SourceClient) throws -> any RemoteSource,
        service: @escaping @Sendable (LoopbackRequest) async -> LoopbackReply, values: [String: String],
        secrets: [String], transport: any SourceTransport, hasVersions: Bool = true, requestsPerFetch: Int = 1,
        neverRetries: Bool = false, lasting: Set<SourceFault> = [],
        fallbackFaults: Set<SourceFault> = [],
        isFaultTarget: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
    ) {
        self.source = source
        self.service = service
        self.values = values
        self.secrets = secrets
        self.transport = transport
        self.hasVersions = hasVersions
        self.requestsPerFetch = requestsPerFetch
        self.neverRetries = neverRetries
        self.lasting = lasting
        self.fallbackFaults = fallbackFaults
        self.isFaultTarget = isFaultTarget
    }

    /// Runs every ``SourceCheck``.
    ///
    /// - Throws: a ``ConformanceError`` with all findings.
    public func run() async throws {
        var findings: [String] = []
        for check in SourceCheck.allCases {
            do {
                try await check.run(on: self)
            } catch let error as ConformanceError {
                findings += error.findings
            }
        }
        guard findings.isEmpty else { throw ConformanceError(findings: findings) }
    }
}

/// The findings about a source.
public struct ConformanceError: Error, CustomStringConvertible {
    /// A sentence for each error.
    public let findings: [String]

    /// The sentences, a line each.
    public var description: String { findings.joined(separator: "\n") }
}
