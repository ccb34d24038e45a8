public import FlagModel
public import FlagRemote
import Synchronization

/// A clock that moves only by ``turn(by:)``, and by the length of each wait.
public final class ManualClock: Sendable {
    private struct State {
        var now: FlagTimestamp
        var waits: [Duration] = []
        var random: Double
    }

    private let state: Mutex<State>

    /// A clock that starts at a time, by default 2026-11-21T10:00:00Z.
    ///
    /// - Parameter random: the random number for each retry, in `0..<1`; one half results in no jitter.
    public init(_ now: FlagTimestamp = FlagTimestamp(seconds: 1_795_255_200), random: Double = 0.5) {
        state = Mutex(State(now: now, random: random))
    }

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
            random: { self.state.withLock { $0.random } })
    }
}
