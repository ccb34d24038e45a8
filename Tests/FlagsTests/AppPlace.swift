import FlagModel
import FlagRemote
import FlagStorage
import Foundation
import Synchronization
import TestSupport

@testable import Flags

/// A folder of its own for one test, with the overrides and kept values of an app; gone with the last reference.
final class AppPlace: Sendable {
    let path = NSTemporaryDirectory() + "flags-\(UUID().uuidString)"
    /// Shows 2026-11-21T10:00:00Z until a test turns it.
    let clock = ManualClock(Timestamp(seconds: 1_795_255_200))

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var storeDirectory: String { "\(path)/state" }
    var cacheDirectory: String { "\(path)/cache" }

    /// A store as an app opens one, but for the clock.
    func store(
        _ sources: [any RemoteSource] = [], defaults: ValueTable = ValueTable(), launch: [String: String] = [:],
        team: [String: String] = [:], access: OverrideAccess = .open, activation: Activation = .immediately,
        minimumFetchInterval: Duration = .zero, timeLimit: Duration = .seconds(60)
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

    /// The same overrides as a menu in another process changes them.
    var menu: OverrideStore { OverrideStore(directory: storeDirectory, author: "ana", now: clock.now) }

    /// What stores of this place have logged.
    let log = LogLines()

    /// Writes a file, creating its folder.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}

extension FlagStore {
    /// What a menu shows that has the same sources and overrides.
    var board: FlagBoard {
        let snapshot = snapshot()
        var board = FlagBoard(snapshot.values)
        board.replaceSnapshot(snapshot.remote)
        return board
    }
}

/// A clock that stands until it is turned.
final class ManualClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp) { self.time = Mutex(time) }

    @Sendable func now() -> Timestamp { time.withLock { $0 } }

    func turn(by seconds: Int64) { time.withLock { $0.seconds += seconds } }

    /// Whoever waits waits for no time at all, and finds the clock turned by the time of the wait.
    var sourceClock: SourceClock {
        SourceClock(
            now: now,
            sleep: { wait in
                try Task.checkCancellation()
                self.turn(by: wait.components.seconds)
                await Task.yield()
            }, chance: { 0.5 })
    }
}

/// A source that says what it is told to say.
final class FakeSource: RemoteSource {
    let name: String
    var identity: SourceIdentity { SourceIdentity(name) }
    private let answer: Mutex<Result<SourceAnswer, SourceError>>
    private let asked = Mutex<[String?]>([])
    private let told = Mutex<SourceAnswer?>(nil)
    /// Held until it is opened; questions wait for that.
    private let gate: Gate?
    let pollInterval: Duration?
    private let hints: AsyncStream<SourceHint>?

    init(
        _ name: String = "fake", _ values: [String: String] = [:], gate: Gate? = nil, pollInterval: Duration? = nil,
        changes hints: AsyncStream<SourceHint>? = nil
    ) {
        self.name = name
        self.gate = gate
        self.pollInterval = pollInterval
        self.hints = hints
        answer = Mutex(.success(Self.document(values, version: nil)))
    }

    /// The versions that it was asked for news since, question by question.
    var questions: [String?] { asked.withLock { $0 } }

    func say(_ values: [String: String], version: String? = nil) {
        answer.withLock { $0 = .success(Self.document(values, version: version)) }
    }

    func say(_ answer: SourceAnswer) { self.answer.withLock { $0 = .success(answer) } }

    func fail(_ code: SourceError.Code, _ sentence: String = "no answer", retryAfter: Duration? = nil) {
        let error = SourceError(code: code, path: name, sentence: sentence, retryAfter: retryAfter)
        answer.withLock { $0 = .failure(error) }
    }

    /// Tells without being asked what the values are from now on.
    func tell(_ values: [String: String]) { told.withLock { $0 = Self.document(values, version: "told") } }

    func takeUpdate(since version: String?) -> SourceAnswer? {
        told.withLock { told in
            defer { told = nil }
            return told
        }
    }

    func changes() -> AsyncStream<SourceHint>? { hints }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer {
        asked.withLock { $0.append(version) }
        await gate?.pass()
        return try answer.withLock { $0 }.get()
    }

    private static func document(_ values: [String: String], version: String?) -> SourceAnswer {
        let object = JSONOutput.object(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        return .values(Array(object.text(indented: false).utf8), version: version)
    }
}
