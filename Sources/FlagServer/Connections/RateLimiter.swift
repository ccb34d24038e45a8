#if Server
import FlagModel
import FlagRemote
import Synchronization

/// Allows an action a number of times per second.
final class RateLimiter: Sendable {
    private let limit: Mutex<RateLimit>
    private let now: @Sendable () -> FlagTimestamp

    init(perSecond limit: Int, now: @escaping @Sendable () -> FlagTimestamp) {
        self.limit = Mutex(RateLimit(perSecond: limit))
        self.now = now
    }

    /// Counts an action; returns whether it is one too many.
    func isExceeded() -> Bool { limit.withLock { $0.isExceeded(adding: 1, at: now()) } }
}
#endif
