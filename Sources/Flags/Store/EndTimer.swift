import Dispatch
import FlagModel

/// Calls a handler when an override ends, or earlier: the handler then looks again, and waits with another timer.
///
/// Two timers, since each misses something: one of the wall clock, which also goes on while the machine sleeps, and one of
/// the time awake, which nobody can set.
final class EndTimer: Sendable {
    /// The time of the wall clock at which the override ends, as far as is known now.
    let time: FlagTimestamp
    // The sources of Dispatch may be used by any thread, but are not declared so.
    private nonisolated(unsafe) let timers: [any DispatchSourceTimer]

    /// How many milliseconds to wait. In the last second, the handler looks several times: the times are whole seconds,
    /// and the override ends somewhere between two of them.
    static func wait(until time: FlagTimestamp, now: FlagTimestamp) -> Int {
        let seconds = Int(time.seconds - now.seconds)
        return seconds > 1 ? (seconds - 1) * 1_000 : 200
    }

    /// - Parameters:
    ///   - time: when the override ends.
    ///   - now: the current time.
    ///   - handler: called on a queue of its own.
    init(at time: FlagTimestamp, now: FlagTimestamp, handler: @escaping @Sendable () -> Void) {
        self.time = time
        let queue = DispatchQueue(label: "flags.ends")
        let left = DispatchTimeInterval.milliseconds(Self.wait(until: time, now: now))
        timers = (0..<2).map { _ in DispatchSource.makeTimerSource(queue: queue) }
        timers[0].schedule(deadline: .now() + left)
        timers[1].schedule(wallDeadline: .now() + left)
        for timer in timers {
            timer.setEventHandler(handler: handler)
            timer.activate()
        }
    }

    // Cancelling calls nothing, so a timer may be released while a lock is held.
    deinit { for timer in timers { timer.cancel() } }
}
