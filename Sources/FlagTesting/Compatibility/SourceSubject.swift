public import FlagRemote

/// A source as the compatibility suite needs it: how to make one, a service for it that is in good health, and what must
/// come of that.
public struct SourceSubject: Sendable {
    /// Makes a source that asks a service at an address. Sources made twice for one address are the same source.
    public var source: @Sendable (_ url: String, _ client: SourceClient) throws -> any RemoteSource
    /// The service, versions included: it answers 304 to who has the newest.
    public var service: @Sendable (LoopbackRequest) async -> LoopbackReply
    /// The values that the service's flags come to.
    public var values: [String: String]
    /// The credentials that the source was made with; they may show nowhere.
    public var secrets: [String]
    /// What carries the questions.
    public var transport: any SourceTransport
    /// Whether the service names versions of its answers.
    public var hasVersions: Bool
    /// How many requests one fetch takes where nothing fails.
    public var requestsPerFetch: Int
    /// Whether a fetch asks once, whatever fails, as the service's own clients do; else what may pass is got over within it.
    public var asksOnce: Bool
    /// The faults after which the service is left alone for more than an hour, as its own clients do.
    public var lasting: Set<SourceFault>
    /// The faults after which the source asks once more in another way, once in its life: they may mean that the service does
    /// not take the first way.
    public var asksAnotherWay: Set<SourceFault>
    /// The requests that go wrong where a service fails: all, unless one that comes before them would hide how the source
    /// takes it, such as one for a token.
    public var isStruck: @Sendable (LoopbackRequest) -> Bool

    /// A subject.
    public init(
        source: @escaping @Sendable (_ url: String, _ client: SourceClient) throws -> any RemoteSource,
        service: @escaping @Sendable (LoopbackRequest) async -> LoopbackReply, values: [String: String],
        secrets: [String], transport: any SourceTransport, hasVersions: Bool = true, requestsPerFetch: Int = 1,
        asksOnce: Bool = false, lasting: Set<SourceFault> = [],
        asksAnotherWay: Set<SourceFault> = [],
        isStruck: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
    ) {
        self.source = source
        self.service = service
        self.values = values
        self.secrets = secrets
        self.transport = transport
        self.hasVersions = hasVersions
        self.requestsPerFetch = requestsPerFetch
        self.asksOnce = asksOnce
        self.lasting = lasting
        self.asksAnotherWay = asksAnotherWay
        self.isStruck = isStruck
    }
}

/// What a source does that it must not, a sentence each.
public struct IncompatibleSource: Error, CustomStringConvertible {
    /// The sentences.
    public let findings: [String]

    /// The sentences, a line each.
    public var description: String { findings.joined(separator: "\n") }
}
