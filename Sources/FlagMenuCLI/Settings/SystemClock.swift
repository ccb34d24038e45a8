import FlagModel
import Platform

/// The wall clock.
enum SystemClock {
    /// The moment of now, in whole seconds.
    @Sendable static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec))
    }
}
