#if Network
public import FlagModel
public import FlagRemote

/// The suite that every source with live updates passes. It has one source and one service; ``run(_:)`` creates a suite
/// for each ``StreamFault``.
public struct StreamConformanceSuite: Sendable {
    /// Creates the source, which has live updates and a poll interval.
    public var source: @Sendable (_ client: SourceClient) throws -> any RemoteSource
    /// The service's server, on which streams stay open.
    public var server: LoopbackServer
    /// The healthy service.
    public var service: @Sendable (LoopbackRequest) async -> LoopbackReply
    /// Whether a request is for the stream. Faults are injected only into such requests.
    public var isStream: @Sendable (LoopbackRequest) -> Bool
    /// The stream's name on the server.
    public var stream: String
    /// The content type of the stream.
    public var contentType = "text/event-stream"
    /// A whole event without a change.
    public var event: [UInt8]
    /// An event that cannot be read.
    public var malformedEvent: [UInt8]
    /// The start of an event, which may continue for any length.
    public var eventStart: [UInt8]
    /// The faults after which the source, like the service's own clients, does not open the stream again.
    public var lasting: Set<StreamFault> = []
    /// Changes the values of the service's flags, and returns the new values by key.
    ///
    /// - Parameters:
    ///   - number: a number for the new values, greater each time.
    ///   - isReported: whether the stream sends the change.
    public var change: @Sendable (_ number: Int, _ isReported: Bool) async -> FlagTable<String>
    /// The credentials of the source, which must not appear anywhere, nor be sent to another origin.
    public var secrets: [String]
    /// The transport that sends the requests.
    public var transport: any SourceTransport

    /// A suite for one source.
    public init(
        source: @escaping @Sendable (_ client: SourceClient) throws -> any RemoteSource, server: LoopbackServer,
        service: @escaping @Sendable (LoopbackRequest) async -> LoopbackReply,
        isStream: @escaping @Sendable (LoopbackRequest) -> Bool, stream: String,
        event: [UInt8], malformedEvent: [UInt8], eventStart: [UInt8],
        change: @escaping @Sendable (_ number: Int, _ isReported: Bool) async -> FlagTable<String>, secrets: [String],
        transport: any SourceTransport
    ) {
        self.source = source
        self.server = server
        self.service = service
        self.isStream = isStream
        self.stream = stream
        self.event = event
        self.malformedEvent = malformedEvent
        self.eventStart = eventStart
        self.change = change
        self.secrets = secrets
        self.transport = transport
    }

    /// Injects every ``StreamFault``, all at the same time, each with its own suite. Requires that the values in use
    /// stay, polling continues, a different sentence for each fault says why there are no live updates, connections are
    /// retried with backoff, live updates return once the service has recovered, and the end of a subscription closes
    /// its connection.
    ///
    /// - Parameter makeSuite: creates a suite with a new source and a new service.
    /// - Throws: a ``ConformanceError`` with all findings.
    public static func run(_ makeSuite: @escaping @Sendable () async throws -> StreamConformanceSuite) async throws {
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for fault in StreamFault.allCases { group.addTask { await outcome(of: fault, makeSuite) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var findings = outcomes.flatMap(\.findings)
        for (index, first) in outcomes.enumerated() {
            for second in outcomes[(index + 1)...] where !first.fault.isLike(second.fault) {
                guard let sentence = first.sentence, sentence == second.sentence else { continue }
                findings.append("\(first.fault) and \(second.fault) have one sentence: \(sentence)")
            }
        }
        guard findings.isEmpty else { throw ConformanceError(findings: findings) }
    }

    private typealias Outcome = (fault: StreamFault, findings: [String], sentence: String?)

    private static func outcome(
        of fault: StreamFault, _ makeSuite: @Sendable () async throws -> StreamConformanceSuite
    ) async -> Outcome {
        do {
            var run = try await StreamConformanceRun(makeSuite(), fault)
            try await run.run()
            return (fault, run.findings, run.usualSentence)
        } catch {
            return (fault, ["\(fault): \(error)"], nil)
        }
    }
}
#endif
