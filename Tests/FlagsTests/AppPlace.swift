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
