#if Network
import FlagModel
import FlagRemote
import Synchronization

/// A wrapper of a source that counts fetches and records disconnections. If the wrapper has an interval, it is polled
/// and has no live updates.
final class ObservedSource: RemoteSource {
    private struct State {
        var disconnections: [SourceError] = []
        var fetches = 0
    }

    let pollInterval: Duration?
    private let base: any RemoteSource
    private let isPolled: Bool
    private let state = Mutex(State())

    init(_ base: any RemoteSource, polledEvery interval: Duration? = nil) {
        (self.base, isPolled, pollInterval) = (base, interval != nil, interval ?? base.pollInterval)
    }

    /// The errors because of which there were no live updates, in order.
    var disconnections: [SourceError] { state.withLock { $0.disconnections } }
    /// The number of fetches.
    var fetches: Int { state.withLock { $0.fetches } }

    var identity: SourceIdentity { base.identity }
    var name: String { base.name }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        state.withLock { $0.fetches += 1 }
        return try await base.fetch(since: version)
    }
    func readSynchronously() throws(SourceError) -> FetchResult? { try base.readSynchronously() }
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try base.decode(bytes) }

    func changes() -> AsyncStream<LiveUpdateEvent>? {
        guard !isPolled, let liveUpdates = base.changes() else { return nil }
        let (recorded, continuation) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let task = Task { [weak self] in
            for await event in liveUpdates {
                if case .disconnected(let error) = event { self?.state.withLock { $0.disconnections.append(error) } }
                continuation.yield(event)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return recorded
    }
}

/// A wrapper of a transport that counts the streams it opens, and can replace their time limits.
final class WatchedTransport: SourceTransport {
    private struct State {
        var attempts = 0
        var timeouts: (idleTimeout: Duration, total: Duration)?
    }

    private let base: any SourceTransport
    private let state = Mutex(State())

    init(_ base: any SourceTransport) { self.base = base }

    /// The number of attempts to open a stream.
    var attempts: Int { state.withLock { $0.attempts } }

    /// The time limits of streams that are opened later; `nil` to use the limits of the request.
    var timeouts: (idleTimeout: Duration, total: Duration)? {
        get { state.withLock { $0.timeouts } }
        set { state.withLock { $0.timeouts = newValue } }
    }

    func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        try await base.send(request, limits: limits, progress: progress)
    }

    func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        let timeouts = state.withLock { state in
            state.attempts += 1
            return state.timeouts
        }
        var limits = limits
        if let timeouts { (limits.idleTimeout, limits.total) = timeouts }
        return try await base.open(request, limits: limits)
    }
}

/// A clock on which waits take no time until they add up to a limit. Later waits last until ``release()``.
final class HaltingClock: Sendable {
    private struct State {
        var passed = Duration.zero
        var hasHalted = false
        var isReleased = false
    }

    private let clock: ManualClock
    private let limit: Duration
    private let state = Mutex(State())

    init(_ clock: ManualClock, after limit: Duration) { (self.clock, self.limit) = (clock, limit) }

    /// Whether the limit was reached.
    var hasHalted: Bool { state.withLock { $0.hasHalted } }

    /// Waits until the limit is reached.
    ///
    /// - Throws: an error if the task is cancelled.
    func waitForHalt() async throws {
        while !hasHalted { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Ends all waits.
    func release() { state.withLock { $0.isReleased = true } }

    var sourceClock: SourceClock {
        let base = clock.sourceClock
        return SourceClock(
            now: base.now,
            sleep: { wait in
                try await base.sleep(wait)
                self.state.withLock { state in
                    state.passed += wait
                    state.hasHalted = state.hasHalted || state.passed > self.limit
                }
                while self.state.withLock({ $0.hasHalted && !$0.isReleased }) {
                    try await Task.sleep(for: .milliseconds(1))
                }
            },
            random: base.random)
    }
}

/// Lets one waiting task pass for each call of ``open()``.
final class Turnstile: Sendable {
    private let turns = Mutex(0)

    /// Lets one task pass, now or later.
    func open() { turns.withLock { $0 += 1 } }

    /// Waits until a call of ``open()`` lets this task pass.
    func pass() async throws {
        while !useTurn() { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func useTurn() -> Bool {
        turns.withLock { turns in
            defer { turns = max(0, turns - 1) }
            return turns > 0
        }
    }
}
#endif
