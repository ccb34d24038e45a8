package import FlagModel

/// Counts what happens within one second of a clock, so that an endless stream is processed in parts.
package struct RateLimit: Sendable {
    private let limit: Int
    private var second: Int64?
    private var count = 0

    /// - Parameter limit: the allowed amount per second.
    package init(perSecond limit: Int) { self.limit = limit }

    /// Adds to the amount of this second.
    ///
    /// - Returns: whether the limit of this second is exceeded, so that the caller should wait for the next.
    package mutating func isExceeded(adding amount: Int, at now: Timestamp) -> Bool {
        if second != now.seconds { (second, count) = (now.seconds, 0) }
        count += amount
        return count > limit
    }
}
