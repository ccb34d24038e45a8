import Foundation
import Synchronization

/// Counts reports of a watch and waits for them.
public final class ChangeCounter: Sendable {
    private let condition = NSCondition()
    private let reports = Mutex(0)

    /// The time in seconds after which a test without a report fails. Only a failing test waits that long.
    private static let timeout: TimeInterval = 10

    /// The number of reports so far.
    public var count: Int { reports.withLock { $0 } }

    /// No reports.
    public init() {}

    /// Adds a report.
    public func add() {
        condition.withLock {
            reports.withLock { $0 += 1 }
            condition.broadcast()
        }
    }

    /// Waits until `isDone` is true, checking after each report; returns `false` on timeout.
    public func wait(until isDone: () -> Bool) -> Bool {
        condition.withLock {
            let end = Date(timeIntervalSinceNow: Self.timeout)
            while !isDone() {
                guard condition.wait(until: end) else { return isDone() }
            }
            return true
        }
    }
}
