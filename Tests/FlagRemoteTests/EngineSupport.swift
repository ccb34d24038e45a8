import FlagModel
import FlagRemote
import FlagStorage
import FlagTesting
import Foundation
import Synchronization
import TestSupport

/// A folder for one test with the cache and the context overrides of its engines; removed with the last of them.
final class EnginePlace: Sendable {
    let path = NSTemporaryDirectory() + "engine-\(UUID().uuidString)"
    let clock = ManualClock()

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var cache: RemoteCache { RemoteCache(folder: "\(path)/cache") }

    /// An engine that has opened, as a process of its own has one.
    func engine(
        _ sources: [any RemoteSource], activation: Activation = .manual, timeLimit: Duration = .seconds(60),
        isFromCache: Bool = false
    ) -> RemoteEngine {
        let engine = RemoteEngine(
            sources: sources, cache: cache,
            contextFile: ContextFile(directory: "\(path)/state", now: { self.clock.now }),
            policy: RemotePolicy(activation: activation, timeLimit: timeLimit), clock: clock.sourceClock)
        engine.open(isFromCache: isFromCache)
        return engine
    }

    /// Writes a file, creating its folder.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
        return file.path
    }
}

/// A source in memory that responds as a test says.
final class MemorySource: RemoteSource {
    private struct State {
        var response: Result<SourceAnswer, SourceError>
        var versions: [String?] = []
        var decodeCount = 0
    }

    let identity: SourceIdentity
    var name: String { identity.text }
    private let gate: Gate?
    private let hints: AsyncStream<SourceHint>?
    /// What it tells of each request.
    private let progress: [SourceProgress]
    private let state: Mutex<State>
    /// Whether each request was cancelled, as they end.
    let cancellations: AsyncStream<Bool>
    private let cancellation: AsyncStream<Bool>.Continuation

    init(
        _ identity: SourceIdentity, _ document: String = "{}", gate: Gate? = nil, hints: AsyncStream<SourceHint>? = nil,
        progress: [SourceProgress] = []
    ) {
        (self.identity, self.gate, self.hints, self.progress) = (identity, gate, hints, progress)
        state = Mutex(State(response: .success(.values(Array(document.utf8), version: nil))))
        (cancellations, cancellation) = AsyncStream.makeStream()
    }

    /// The versions that it was requested with.
    var versions: [String?] { state.withLock { $0.versions } }

    /// How many responses were decoded.
    var decodeCount: Int { state.withLock { $0.decodeCount } }

    func respond(_ document: String, version: String? = nil) {
        state.withLock { $0.response = .success(.values(Array(document.utf8), version: version)) }
    }

    func fail(_ code: SourceError.Code) {
        state.withLock { $0.response = .failure(SourceError(code: code, path: name, sentence: "it fails")) }
    }

    func changes() -> AsyncStream<SourceHint>? { hints }

    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> SourceAnswer {
        state.withLock { $0.versions.append(version) }
        for told in self.progress { progress(told) }
        await gate?.pass()
        cancellation.yield(Task.isCancelled)
        return try state.withLock { $0.response }.get()
    }

    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        state.withLock { $0.decodeCount += 1 }
        return try RemoteDocument(parsing: bytes)
    }
}

/// A source whose value `user` is the number of the user that it evaluates for, which a tester can change.
struct UserSource: EvaluatedSource {
    var name = "people"
    var user = "1"
    var gate: Gate?
    var identity: SourceIdentity { "people#\(user)" }

    func overriding(_ contextOverride: OwnContext) -> any RemoteSource {
        UserSource(name: name, user: contextOverride.members.first?.value ?? user, gate: gate)
    }

    func evaluation(overriding contextOverride: OwnContext, _ document: RemoteDocument?) -> SourceEvaluation {
        SourceEvaluation(source: name, context: [], document: document)
    }

    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> SourceAnswer {
        await gate?.pass()
        return .values(Array(#"{"user": \#(user)}"#.utf8), version: nil)
    }
}

extension RemoteEngine {
    /// The remote value of a key.
    func value(_ key: String = "a") -> String? { current.snapshot().values[key]?.string }

    /// All that it tells from now on.
    func updates() -> AsyncStream<RemoteUpdate> {
        let (updates, update) = AsyncStream.makeStream(of: RemoteUpdate.self)
        _ = observe { update.yield($0) }
        return updates
    }

    /// Has the sources evaluate for another user; `nil` for the configured one.
    func changeUser(of source: String = "people", to user: String?) throws {
        let edit = user.map { ContextEdit.set(name: "user", value: $0) } ?? .reset
        _ = try changeContext(ContextChange(source: source, edits: [edit]))
    }
}

extension AsyncStream<RemoteUpdate> {
    /// Waits until so many fetches have begun.
    func waitForFetches(_ count: Int) async {
        var left = count
        for await update in self {
            if case .fetchStarted = update.cause { left -= 1 }
            if left == 0 { return }
        }
    }
}
