public import FlagModel
public import FlagRemote
import Synchronization

/// A clock that moves only by ``turn(by:)``, and by the length of each wait.
public final class ManualClock: Sendable {
    private struct State {
        var now: FlagTimestamp
        var waits: [Duration] = []
        /// How long the waits of the halting clock may still be.
        var remaining = Duration.zero
        var isReleased = false

        var isHalted: Bool { remaining < .zero }
    }

    private let state: Mutex<State>

    /// A clock that starts at a time, by default 2026-11-21T10:00:00Z.
    public init(_ now: FlagTimestamp = FlagTimestamp(seconds: 1_795_255_200)) { state = .init(State(now: now)) }

    /// The current time.
    public var now: FlagTimestamp { state.withLock { $0.now } }

    /// All waits so far.
    public var waits: [Duration] { state.withLock { $0.waits } }

    /// Moves the clock by seconds; back if negative.
    public func turn(by seconds: Int64) { state.withLock { $0.now.seconds += seconds } }

    /// The clock for sources. A wait ends immediately and moves the clock by its length.
    public var sourceClock: SourceClock {
        SourceClock(
            now: { self.now },
            sleep: { wait in
                try Task.checkCancellation()
                self.state.withLock { state in
                    state.waits.append(wait)
                    state.now.seconds += wait.components.seconds
                }
                await Task.yield()
            },
            // No jitter.
            random: { 0.5 })
    }

    /// A clock whose waits take no time until they add up to a limit. Later waits last until ``release()``.
    func haltingClock(after limit: Duration) -> SourceClock {
        state.withLock { ($0.remaining, $0.isReleased) = (limit, false) }
        let base = sourceClock
        return SourceClock(
            now: base.now,
            sleep: { wait in
                try await base.sleep(wait)
                self.state.withLock { $0.remaining -= wait }
                while self.state.withLock({ $0.isHalted && !$0.isReleased }) {
                    try await Task.sleep(for: .milliseconds(1))
                }
            },
            random: base.random)
    }

    /// Whether the limit of the halting clock was reached.
    var hasHalted: Bool { state.withLock { $0.isHalted } }

    /// Ends all waits of the halting clock.
    func release() { state.withLock { $0.isReleased = true } }
}
