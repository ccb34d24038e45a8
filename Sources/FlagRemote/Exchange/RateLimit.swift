package import FlagModel

/// Counts an amount, such as bytes, in each second of a clock, to limit the rate at which a stream is read.
package struct RateLimit: Sendable {
    private let limit: Int
    private var second: Int64?
    private var count = 0

    /// - Parameter limit: the allowed amount per second.
    package init(perSecond limit: Int) { self.limit = limit }

    /// Adds to the amount of the current second.
    ///
    /// - Returns: whether the amount exceeds the limit, so that the caller should wait for the next second.
    package mutating func isExceeded(adding amount: Int, at now: FlagTimestamp) -> Bool {
        if second != now.seconds { (second, count) = (now.seconds, 0) }
        count += amount
        return count > limit
    }
}
