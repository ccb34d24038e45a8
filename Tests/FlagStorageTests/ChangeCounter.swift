import Foundation
import Synchronization

/// Counts reports of a watch and waits for them.
final class ChangeCounter: Sendable {
    private let condition = NSCondition()
    private let reports = Mutex(0)

    /// How long a report may take before its test fails. Only a failing test waits that long.
    private static let patience: TimeInterval = 10

    var count: Int { reports.withLock { $0 } }

    func add() {
        condition.withLock {
            reports.withLock { $0 += 1 }
            condition.broadcast()
        }
    }

    /// Waits until `isDone` holds, looking after each report; whether it did in time.
    func wait(until isDone: () -> Bool) -> Bool {
        condition.withLock {
            let end = Date(timeIntervalSinceNow: Self.patience)
            while !isDone() {
                guard condition.wait(until: end) else { return isDone() }
            }
            return true
        }
    }
}
