import Synchronization

/// Keep this as long as the handler is to be called: releasing it, or ``cancel()``, ends the calls.
public final class FlagObservation: Sendable {
    private let onEnd: @Sendable () -> Void
    private let hasEnded = Atomic(false)

    package init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { cancel() }

    /// Ends the subscription. A running call of the handler continues.
    public func cancel() {
        if !hasEnded.exchange(true, ordering: .relaxed) { onEnd() }
    }
}
