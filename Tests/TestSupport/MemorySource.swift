package import FlagModel
package import FlagRemote
import Synchronization

/// A source in memory whose responses are set by a test.
package final class MemorySource: RemoteSource {
    private struct State {
        var response: Result<FetchResult, SourceError>
        var pendingUpdate: FetchResult?
        var versions: [String?] = []
        var decodeCount = 0
    }

    package let identity: SourceIdentity
    package var name: String { identity.text }
    /// What every response is decoded to; by default, what it contains.
    private let decoded: RemoteDocument?
    /// Requests wait until it is opened.
    private let gate: Gate?
    private let liveUpdates: AsyncStream<LiveUpdateEvent>?
    package let pollInterval: Duration?
    /// The progress that each request reports.
    private let progress: [SourceProgress]
    private let state: Mutex<State>
    /// Whether each request was cancelled, in the order in which they end.
    package let cancellations: AsyncStream<Bool>
    private let cancellation: AsyncStream<Bool>.Continuation

    package init(
        _ identity: SourceIdentity, _ document: String = "{}", decoded: RemoteDocument? = nil, gate: Gate? = nil,
        liveUpdates: AsyncStream<LiveUpdateEvent>? = nil, pollInterval: Duration? = nil,
        progress: [SourceProgress] = []
    ) {
        (self.identity, self.decoded, self.gate, self.progress) = (identity, decoded, gate, progress)
        (self.liveUpdates, self.pollInterval) = (liveUpdates, pollInterval)
        state = Mutex(State(response: .success(.values(Array(document.utf8), version: nil))))
        (cancellations, cancellation) = AsyncStream.makeStream()
    }

    package convenience init(
        _ identity: SourceIdentity, _ values: FlagTable<String>, gate: Gate? = nil,
        liveUpdates: AsyncStream<LiveUpdateEvent>? = nil, pollInterval: Duration? = nil
    ) {
        self.init(
            identity, Self.document(values), gate: gate, liveUpdates: liveUpdates, pollInterval: pollInterval)
    }

    private static func document(_ values: FlagTable<String>) -> String {
        JSONOutput.object(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }).text(indented: false)
    }

    /// The version that each request was sent with.
    package var versions: [String?] { state.withLock { $0.versions } }

    /// How many responses were decoded.
    package var decodeCount: Int { state.withLock { $0.decodeCount } }

    /// Sets the response to all later requests.
    package func respond(_ result: FetchResult) { state.withLock { $0.response = .success(result) } }

    package func respond(_ document: String, version: String? = nil) {
        respond(.values(Array(document.utf8), version: version))
    }

    package func respond(_ values: FlagTable<String>, version: String? = nil) {
        respond(Self.document(values), version: version)
    }

    /// Makes all later requests fail.
    package func fail(_ code: SourceError.Code, _ sentence: String = "no response", retryAfter: Duration? = nil) {
        let error = SourceError(code: code, path: name, sentence: sentence, retryAfter: retryAfter)
        state.withLock { $0.response = .failure(error) }
    }

    /// Delivers values by a live update, without a request.
    package func report(_ document: String) {
        state.withLock { $0.pendingUpdate = .values(Array(document.utf8), version: "reported") }
    }

    package func report(_ values: FlagTable<String>) { report(Self.document(values)) }

    package func readPendingUpdate(since version: String?) -> FetchResult? {
        state.withLock { state in
            defer { state.pendingUpdate = nil }
            return state.pendingUpdate
        }
    }

    package func changes() -> AsyncStream<LiveUpdateEvent>? { liveUpdates }

    package func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        state.withLock { $0.versions.append(version) }
        for reported in self.progress { progress(reported) }
        await gate?.pass()
        cancellation.yield(Task.isCancelled)
        return try state.withLock { $0.response }.get()
    }

    package func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        state.withLock { $0.decodeCount += 1 }
        if let decoded { return decoded }
        return try RemoteDocument(parsing: bytes)
    }
}

/// A source whose value `user` is the user of its context, which a context override can change.
package struct UserSource: EvaluatedSource {
    package let name: String
    private let user: String
    private let gate: Gate?
    private let other: MemorySource?
    package var identity: SourceIdentity { "people#\(user)" }

    /// - Parameter other: the source for any other user; by default, one like this.
    package init(name: String = "people", user: String = "1", gate: Gate? = nil, other: MemorySource? = nil) {
        (self.name, self.user, self.gate, self.other) = (name, user, gate, other)
    }

    package func overriding(_ contextOverride: ContextOverride) -> any RemoteSource {
        if let other { return contextOverride.members.isEmpty ? self : other }
        return UserSource(name: name, user: contextOverride.members.first?.value ?? user, gate: gate)
    }

    package func evaluation(
        overriding contextOverride: ContextOverride, _ document: RemoteDocument?
    ) -> SourceEvaluation {
        SourceEvaluation(source: name, context: [], document: document)
    }

    package func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        await gate?.pass()
        return .values(Array(#"{"user": \#(user)}"#.utf8), version: nil)
    }
}
