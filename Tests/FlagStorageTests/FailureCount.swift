import Synchronization

/// How often something is still to fail.
final class FailureCount: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// `true` when it is to fail once more.
    func takeOne() -> Bool {
        left.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
    }
}
