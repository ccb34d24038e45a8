import FlagModel
import FlagRemote
import FlagStorage
import Synchronization
import TestSupport
import Testing

@testable import Flags

/// A temporary folder for one test, with an app's overrides and cache; deleted with the last reference.
final class AppPlace: Sendable {
    private let folder = Workplace()
    /// Starts at 2026-11-21T10:00:00Z and moves only when a test calls `turn(by:)`.
    let clock = ManualClock(FlagTimestamp(seconds: 1_795_255_200))

    var path: String { folder.path }
    var storeDirectory: String { "\(path)/state" }
    var cacheDirectory: String { "\(path)/cache" }

    /// A store opened as in an app, but with the manual clock, and with a time limit that no test reaches on a busy
    /// machine.
    func store(
        _ sources: [any RemoteSource] = [], defaults: ValueTable = ValueTable(), launch: FlagTable<String> = [:],
        team: FlagTable<String> = [:], access: OverrideAccess = .open, activation: Activation = .immediately,
        minimumFetchInterval: Duration = .zero, timeLimit: Duration = .seconds(3_600)
    ) -> FlagStore {
        let store = FlagStore(
            app: "shop", access: access, overrides: menu,
            remote: RemoteEngine(
                sources: sources, cache: RemoteCache(folder: cacheDirectory),
                policy: RemotePolicy(
                    activation: activation, minimumInterval: minimumFetchInterval, timeLimit: timeLimit),
                clock: clock.sourceClock),
            values: LayerValues([
                .launch: LayerContent(texts: launch), .team: LayerContent(texts: team),
                .default: LayerContent(defaults),
            ]), logger: log.logger)
        store.open()
        store.remote.save()
        return store
    }

    /// The same overrides, opened as by a menu in another process.
    var menu: OverrideStore { OverrideStore(directory: storeDirectory, author: "ana", now: clock.now) }

    /// Lines logged by the stores of this place.
    let log = LogLines()

    /// Writes a file, creating its folder.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        folder.write(text, to: name)
        try #require(folder.read(name) == text)
        return folder.place(name)
    }
}

extension FlagStore {
    /// The board of a menu with the same sources and overrides.
    var board: FlagBoard {
        let snapshot = snapshot()
        var board = FlagBoard(snapshot.values)
        board.replaceSnapshot(snapshot.remote)
        return board
    }
}

/// A clock that moves only on `turn(by:)` and when a source sleeps.
final class ManualClock: Sendable {
    private let time: Mutex<FlagTimestamp>

    init(_ time: FlagTimestamp) { self.time = Mutex(time) }

    @Sendable func now() -> FlagTimestamp { time.withLock { $0 } }

    func turn(by seconds: Int64) { time.withLock { $0.seconds += seconds } }

    /// The clock of a source. Its sleep returns immediately and moves the time by the duration of the sleep.
    var sourceClock: SourceClock {
        SourceClock(
            now: now,
            sleep: { wait in
                try Task.checkCancellation()
                self.turn(by: wait.components.seconds)
                await Task.yield()
            }, random: { 0.5 })
    }
}

/// Waits until a condition is true, while other tasks use the thread. The limit is long, as only a failure takes it.
func waitUntil(
    _ what: String, location: SourceLocation = #_sourceLocation, _ condition: () -> Bool
) async {
    let deadline = Clock.seconds() + 60
    while !condition() {
        guard Clock.seconds() < deadline else {
            Issue.record("timed out waiting until \(what)", sourceLocation: location)
            return
        }
        try? await Task.sleep(for: .milliseconds(1))
    }
}

/// Expects an operation to end, instead of hanging with it.
func expectEnd(
    of what: String, location: SourceLocation = #_sourceLocation, _ operation: @escaping @Sendable () async -> Void
) async {
    let hasEnded = Mutex(false)
    Task {
        await operation()
        hasEnded.withLock { $0 = true }
    }
    await waitUntil("\(what) ends", location: location) { hasEnded.withLock { $0 } }
}

/// A source whose responses are set by a test.
final class FakeSource: RemoteSource {
    let name: String
    var identity: SourceIdentity { SourceIdentity(name) }
    private let result: Mutex<Result<FetchResult, SourceError>>
    private let requestedVersions = Mutex<[String?]>([])
    /// Pushed values that `readPendingUpdate` has not returned yet.
    private let pushed = Mutex<FetchResult?>(nil)
    /// Requests wait until the gate is opened.
    private let gate: Gate?
    let pollInterval: Duration?
    private let liveUpdates: AsyncStream<LiveUpdateEvent>?

    init(
        _ name: String = "fake", _ values: FlagTable<String> = [:], gate: Gate? = nil, pollInterval: Duration? = nil,
        changes liveUpdates: AsyncStream<LiveUpdateEvent>? = nil
    ) {
        self.name = name
        self.gate = gate
        self.pollInterval = pollInterval
        self.liveUpdates = liveUpdates
        result = Mutex(.success(Self.document(values, version: nil)))
    }

    /// The version sent with each request.
    var requests: [String?] { requestedVersions.withLock { $0 } }

    /// Sets the response to all later requests.
    func respond(_ values: FlagTable<String>, version: String? = nil) {
        result.withLock { $0 = .success(Self.document(values, version: version)) }
    }

    func respond(_ result: FetchResult) { self.result.withLock { $0 = .success(result) } }

    /// Makes all later requests fail.
    func fail(_ code: SourceError.Code, _ sentence: String = "no response", retryAfter: Duration? = nil) {
        let error = SourceError(code: code, path: name, sentence: sentence, retryAfter: retryAfter)
        result.withLock { $0 = .failure(error) }
    }

    /// Pushes new values without a request.
    func push(_ values: FlagTable<String>) { pushed.withLock { $0 = Self.document(values, version: "reported") } }

    func readPendingUpdate(since version: String?) -> FetchResult? {
        pushed.withLock { pushed in
            defer { pushed = nil }
            return pushed
        }
    }

    func changes() -> AsyncStream<LiveUpdateEvent>? { liveUpdates }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        requestedVersions.withLock { $0.append(version) }
        await gate?.pass()
        return try result.withLock { $0 }.get()
    }

    private static func document(_ values: FlagTable<String>, version: String?) -> FetchResult {
        let object = JSONOutput.object(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        return .values(Array(object.text(indented: false).utf8), version: version)
    }
}
