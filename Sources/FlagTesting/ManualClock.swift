public import FlagModel
public import FlagRemote
import Synchronization

/// A clock that moves only when it is turned, and by the length of each wait.
public final class ManualClock: Sendable {
    private struct State {
        var now: Timestamp
        var waits: [Duration] = []
        var chance: Double
    }

    private let state: Mutex<State>

    /// A clock at a time, 2026-11-21T10:00:00Z by default.
    ///
    /// - Parameter chance: the random number of each retry, in `0..<1`; one half is no jitter.
    public init(_ now: Timestamp = Timestamp(seconds: 1_795_255_200), chance: Double = 0.5) {
        state = Mutex(State(now: now, chance: chance))
    }

    /// The current time.
    public var now: Timestamp { state.withLock { $0.now } }

    /// All waits so far.
    public var waits: [Duration] { state.withLock { $0.waits } }

    /// Turns it, forward or back.
    public func turn(by seconds: Int64) { state.withLock { $0.now.seconds += seconds } }

    /// The clock for sources. A wait ends at once and turns the clock.
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
            chance: { self.state.withLock { $0.chance } })
    }
}
