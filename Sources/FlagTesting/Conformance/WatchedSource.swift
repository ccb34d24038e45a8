import FlagModel
import FlagRemote
import Synchronization

/// A source that counts its fetches and records its disconnections, or is polled in place of its live updates.
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

    /// Why there were no live updates, in order.
    var disconnections: [SourceError] { state.withLock { $0.disconnections } }
    /// How many fetches there were.
    var fetches: Int { state.withLock { $0.fetches } }

    var identity: SourceIdentity { base.identity }
    var name: String { base.name }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer {
        state.withLock { $0.fetches += 1 }
        return try await base.fetch(since: version)
    }
    func readSynchronously() throws(SourceError) -> SourceAnswer? { try base.readSynchronously() }
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try base.decode(bytes) }

    func changes() -> AsyncStream<SourceHint>? {
        guard !isPolled, let hints = base.changes() else { return nil }
        let (noted, note) = AsyncStream.makeStream(of: SourceHint.self)
        let task = Task { [weak self] in
            for await hint in hints {
                if case .disconnected(let error) = hint { self?.state.withLock { $0.disconnections.append(error) } }
                note.yield(hint)
            }
            note.finish()
        }
        note.onTermination = { _ in task.cancel() }
        return noted
    }
}

/// A transport that counts the streams that it opens, and can shorten their limits.
final class WatchedTransport: SourceTransport {
    private struct State {
        var attempts = 0
        var impatience: (silence: Duration, total: Duration)?
    }

    private let base: any SourceTransport
    private let state = Mutex(State())

    init(_ base: any SourceTransport) { self.base = base }

    /// How many streams were opened or attempted.
    var attempts: Int { state.withLock { $0.attempts } }

    /// Replaces the times in the limits; `nil` for no change.
    var impatience: (silence: Duration, total: Duration)? {
        get { state.withLock { $0.impatience } }
        set { state.withLock { $0.impatience = newValue } }
    }

    func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        try await base.send(request, limits: limits, progress: progress)
    }

    func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        let impatience = state.withLock { state in
            state.attempts += 1
            return state.impatience
        }
        var limits = limits
        if let impatience { (limits.silence, limits.total) = impatience }
        return try await base.open(request, limits: limits)
    }
}

/// A clock on which waits take no time, until they add up to a limit. Later waits last until ``release()``.
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
            chance: base.chance)
    }
}

/// Lets one waiting task pass each time that it is opened.
final class Turnstile: Sendable {
    private let turns = Mutex(0)

    /// Lets one task pass, now or when it comes.
    func open() { turns.withLock { $0 += 1 } }

    /// Waits for a turn.
    func pass() async throws {
        while !takeTurn() { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func takeTurn() -> Bool {
        turns.withLock { turns in
            defer { turns = max(0, turns - 1) }
            return turns > 0
        }
    }
}
