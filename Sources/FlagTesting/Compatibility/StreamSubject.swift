public import FlagRemote

/// A source whose service tells of changes, as the fault matrix of streams needs it. Each cell has one of its own, with a service
/// of its own.
public struct StreamSubject: Sendable {
    /// Makes the source, which listens and wants to be asked regularly as well.
    public var source: @Sendable (_ client: SourceClient) throws -> any RemoteSource
    /// The service's server, on which streams stay open.
    public var server: LoopbackServer
    /// What the service says in good health.
    public var service: @Sendable (LoopbackRequest) async -> LoopbackReply
    /// The requests for the stream, which alone go wrong.
    public var isStream: @Sendable (LoopbackRequest) -> Bool
    /// The stream's name on the server.
    public var stream: String
    /// What the stream's answer is by its header.
    public var contentType: String
    /// A whole event that tells nothing new.
    public var event: [UInt8]
    /// An event that cannot be understood.
    public var malformedEvent: [UInt8]
    /// How an event begins that may go on for ever.
    public var eventStart: [UInt8]
    /// The faults after which the stream is not opened again, as in the service's own clients.
    public var lasting: Set<StreamFault>
    /// Changes the values of the service's flags, and says what they are from then on.
    ///
    /// - Parameters:
    ///   - number: what the new values are made of; greater each time.
    ///   - isTold: whether those who listen are told.
    public var change: @Sendable (_ number: Int, _ isTold: Bool) async -> [String: String]
    /// The credentials that the source was made with; they may show nowhere, and go to no other origin.
    public var secrets: [String]
    /// What carries the questions.
    public var transport: any SourceTransport

    /// A subject.
    public init(
        source: @escaping @Sendable (_ client: SourceClient) throws -> any RemoteSource, server: LoopbackServer,
        service: @escaping @Sendable (LoopbackRequest) async -> LoopbackReply,
        isStream: @escaping @Sendable (LoopbackRequest) -> Bool, stream: String,
        contentType: String = "text/event-stream", event: [UInt8], malformedEvent: [UInt8], eventStart: [UInt8],
        lasting: Set<StreamFault> = [],
        change: @escaping @Sendable (_ number: Int, _ isTold: Bool) async -> [String: String], secrets: [String],
        transport: any SourceTransport
    ) {
        self.source = source
        self.server = server
        self.service = service
        self.isStream = isStream
        self.stream = stream
        self.contentType = contentType
        self.event = event
        self.malformedEvent = malformedEvent
        self.eventStart = eventStart
        self.lasting = lasting
        self.change = change
        self.secrets = secrets
        self.transport = transport
    }
}

/// Looks whether everything holds that must hold of every source that listens: in each cell of the fault matrix the values in use
/// stay, asking in turn goes on, one sentence of its own says why no changes are told, connections are tried ever more seldom, and a
/// service that recovers is heard again.
///
/// - Parameter subject: makes a source and a service of its own for each cell, as the cells are looked at at the same time.
/// - Throws: an ``IncompatibleSource`` with all that does not hold.
public func checkStream(_ subject: @escaping @Sendable () async throws -> StreamSubject) async throws {
    let outcomes = await withTaskGroup(of: (StreamFault, findings: [String], obstacle: String?).self) { group in
        for fault in StreamFault.allCases {
            group.addTask {
                do {
                    var examination = try await StreamExamination(subject(), fault)
                    try await examination.run()
                    return (fault, examination.findings, examination.obstacle)
                } catch {
                    return (fault, ["\(fault): \(error)"], nil)
                }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
    var findings = outcomes.flatMap(\.findings)
    for (place, one) in outcomes.enumerated() {
        for other in outcomes[(place + 1)...] {
            guard let sentence = one.obstacle, sentence == other.obstacle, !one.0.isLike(other.0) else { continue }
            findings.append("\(one.0) and \(other.0) have one sentence: \(sentence)")
        }
    }
    guard findings.isEmpty else { throw IncompatibleSource(findings: findings) }
}
