#if Server
import FlagModel
import FlagRemote

/// Allows an action a number of times per second.
actor RateLimiter {
    private var limit: RateLimit
    private let now: @Sendable () -> FlagTimestamp

    init(perSecond limit: Int, now: @escaping @Sendable () -> FlagTimestamp) {
        (self.limit, self.now) = (RateLimit(perSecond: limit), now)
    }

    /// Counts an action; returns whether it is one too many.
    func isExceeded() -> Bool { limit.isExceeded(adding: 1, at: now()) }
}
#endif
