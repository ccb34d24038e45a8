import FlagModel
import FlagStorage
import FlagTesting
import Foundation
import Synchronization
import TestSupport

@testable import FlagRemote

/// A temporary folder for one test's engines: their cache and their files.
final class EnginePlace: Sendable {
    private let folder = Workplace()
    let clock = ManualClock()

    var cache: RemoteCache { RemoteCache(folder: folder.place("cache")) }

    /// An opened engine that shares only files with the others, like one in another process.
    func engine(
        _ sources: [any RemoteSource], activation: Activation = .manual, timeLimit: Duration = .seconds(60),
        isFromCache: Bool = false
    ) -> RemoteEngine {
        let engine = RemoteEngine(
            sources: sources, cache: cache,
            policy: RemotePolicy(activation: activation, timeLimit: timeLimit), clock: clock.sourceClock)
        engine.open(isFromCache: isFromCache)
        return engine
    }

    /// Replaces a file.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: folder.place(name), atomically: true, encoding: .utf8)
        return folder.place(name)
    }
}

/// A source in memory with scripted responses.
final class MemorySource: RemoteSource {
    private struct State {
        var response: Result<FetchResult, SourceError>
        var pendingUpdate: FetchResult?
        var versions: [String?] = []
        var decodeCount = 0
    }

    let identity: SourceIdentity
    var name: String { identity.text }
    /// What every response is decoded to; by default, what it contains.
    private let decoded: RemoteDocument?
    private let gate: Gate?
    private let liveUpdates: AsyncStream<LiveUpdateEvent>?
    let pollInterval: Duration?
    /// The progress that each request reports.
    private let progress: [SourceProgress]
    private let state: Mutex<State>
    /// Whether each request was cancelled, in the order in which they end.
    let cancellations: AsyncStream<Bool>
    private let cancellation: AsyncStream<Bool>.Continuation

    init(
        _ identity: SourceIdentity, _ document: String = "{}", decoded: RemoteDocument? = nil, gate: Gate? = nil,
        liveUpdates: AsyncStream<LiveUpdateEvent>? = nil, pollInterval: Duration? = nil,
        progress: [SourceProgress] = []
    ) {
        (self.identity, self.decoded, self.gate, self.progress) = (identity, decoded, gate, progress)
        (self.liveUpdates, self.pollInterval) = (liveUpdates, pollInterval)
        state = Mutex(State(response: .success(.values(Array(document.utf8), version: nil))))
        (cancellations, cancellation) = AsyncStream.makeStream()
    }

    /// The version that each request was sent with.
    var versions: [String?] { state.withLock { $0.versions } }

    /// How many responses were decoded.
    var decodeCount: Int { state.withLock { $0.decodeCount } }

    func respond(_ document: String, version: String? = nil) {
        state.withLock { $0.response = .success(.values(Array(document.utf8), version: version)) }
    }

    func fail(_ code: SourceError.Code, retryAfter: Duration? = nil) {
        let error = SourceError(code: code, path: name, sentence: "it fails", retryAfter: retryAfter)
        state.withLock { $0.response = .failure(error) }
    }

    /// Delivers values by a live update, without a request.
    func report(_ document: String) {
        state.withLock { $0.pendingUpdate = .values(Array(document.utf8), version: nil) }
    }

    func readPendingUpdate(since version: String?) -> FetchResult? { state.withLock { $0.pendingUpdate } }

    func changes() -> AsyncStream<LiveUpdateEvent>? { liveUpdates }

    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult {
        state.withLock { $0.versions.append(version) }
        for reported in self.progress { progress(reported) }
        await gate?.pass()
        cancellation.yield(Task.isCancelled)
        return try state.withLock { $0.response }.get()
    }

    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        state.withLock { $0.decodeCount += 1 }
        if let decoded { return decoded }
        return try RemoteDocument(parsing: bytes)
    }
}

/// A source whose value `user` is the user of its context, which a context override can change.
struct UserSource: EvaluatedSource {
    var name = "people"
    var user = "1"
    var gate: Gate?
    /// The source for any other user; by default, one like this.
    var other: MemorySource?
    var identity: SourceIdentity { "people#\(user)" }

    func overriding(_ contextOverride: ContextOverride) -> any RemoteSource {
        if let other { return contextOverride.members.isEmpty ? self : other }
        return UserSource(name: name, user: contextOverride.members.first?.value ?? user, gate: gate)
    }

    func evaluation(overriding contextOverride: ContextOverride, _ document: RemoteDocument?) -> SourceEvaluation {
        SourceEvaluation(source: name, context: [], document: document)
    }

    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult {
        await gate?.pass()
        return .values(Array(#"{"user": \#(user)}"#.utf8), version: nil)
    }
}

extension RemoteEngine {
    /// The remote value of a key.
    func value(_ key: String = "a") -> String? { current.snapshot().values[key]?.string }

    /// All updates from now on.
    func updates() -> AsyncStream<RemoteUpdate> {
        let (updates, update) = AsyncStream.makeStream(of: RemoteUpdate.self)
        observe({ update.yield($0) }, afterwards: {})
        return updates
    }

    /// Overrides the user that a source evaluates for; `nil` resets it to the configured one.
    func changeUser(of source: String = "people", to user: String?) throws {
        let edit = user.map { ContextEdit.set(name: "user", value: $0) } ?? .reset
        let (old, revision) = state.withLock { ($0.contexts, $0.contextsRevision) }
        var contexts = old
        contexts.apply(try self.edit(ContextChange(source: source, edits: [edit]), in: old))
        replaceContexts(with: contexts, at: revision + 1, isRequested: true)
    }
}

extension FetchOutcome {
    /// The error sentence; `nil` if the fetch did not fail.
    var failure: String? { if case .failed(let sentence) = self { sentence } else { nil } }
}

extension AsyncStream<RemoteUpdate> {
    /// Waits until `count` fetches have started.
    func waitForFetches(_ count: Int) async {
        var left = count
        for await update in self {
            if case .fetchStarted = update.cause { left -= 1 }
            if left == 0 { return }
        }
    }
}
