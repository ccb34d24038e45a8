import Platform

/// The time of announcements, which are compared between processes within milliseconds.
package enum WallClock {
    /// Milliseconds since 1970 UTC.
    package static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
