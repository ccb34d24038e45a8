import Synchronization

/// What `onChange` returns: the handler is called until this is released or cancelled.
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
