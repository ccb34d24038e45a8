package import FlagModel

/// Counts what happens within one second of a clock, so that what comes without end is taken a part at a time.
package struct RateLimit: Sendable {
    private let limit: Int
    private var second: Int64?
    private var count = 0

    /// - Parameter limit: how much a second may have.
    package init(perSecond limit: Int) { self.limit = limit }

    /// Adds to what has happened.
    ///
    /// - Returns: whether this second has had more than it may have, so that what comes next waits for another.
    package mutating func isExceeded(adding amount: Int, at now: Timestamp) -> Bool {
        if second != now.seconds { (second, count) = (now.seconds, 0) }
        count += amount
        return count > limit
    }
}
