import Synchronization

/// The number of calls that still fail.
final class FailureCount: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Counts down. Returns whether the call fails this time.
    func takeOne() -> Bool {
        left.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
    }
}
