import Dispatch

/// The subscription of a handler, which ends when it is released.
public final class FlagObservation: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }

    /// Ends the subscription. A running call of the handler continues.
    public func cancel() { onEnd() }
}
