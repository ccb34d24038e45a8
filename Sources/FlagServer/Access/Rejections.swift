#if Server
import FlagModel
import Synchronization

/// Counts the requests that were rejected because they had no valid token, and limits their rate, so that a flood of them
/// gets short responses. Their clients are in no list, so the number is the only trace of an app without a token.
final class Rejections: Sendable {
    private let number = Atomic(0)
    private let rate: RateLimiter

    init(perSecond limit: Int, now: @escaping @Sendable () -> FlagTimestamp) {
        rate = RateLimiter(perSecond: limit, now: now)
    }

    /// How many requests had no valid token.
    var count: Int { number.load(ordering: .relaxed) }

    /// Counts a request; returns the error to respond with.
    func add(_ error: APIError) -> APIError {
        if error.code == .unauthorized { number.add(1, ordering: .relaxed) }
        guard error.code == .unauthorized || error.code == .forbidden, rate.isExceeded() else { return error }
        return APIError(
            .rateLimited, "Too many requests were rejected within a second. Retry later, with the right token.")
    }
}
#endif
