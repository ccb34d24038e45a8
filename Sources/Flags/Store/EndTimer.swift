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

    /// The wait within the last second, in which the handler looks several times: the times are whole seconds, and the
    /// override ends somewhere between two of them.
    private static let pause = DispatchTimeInterval.milliseconds(200)

    /// - Parameters:
    ///   - time: when the override ends.
    ///   - now: the current time.
    ///   - handler: called on a queue of its own.
    init(at time: FlagTimestamp, now: FlagTimestamp, handler: @escaping @Sendable () -> Void) {
        self.time = time
        let queue = DispatchQueue(label: "flags.ends")
        let seconds = Int(clamping: time.seconds - now.seconds)
        let left = seconds > 1 ? DispatchTimeInterval.seconds(seconds - 1) : Self.pause
        timers = (0..<2).map { _ in DispatchSource.makeTimerSource(queue: queue) }
        timers[0].schedule(deadline: .now() + left)
        timers[1].schedule(wallDeadline: .now() + left)
        for timer in timers {
            timer.setEventHandler(handler: handler)
            timer.activate()
        }
    }

    deinit { for timer in timers { timer.cancel() } }
}
