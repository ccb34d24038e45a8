import Dispatch

/// The subscription of a handler, which is called as long as this is retained.
public final class FlagObservation: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }

    /// Ends the subscription. A call that has begun may still be running.
    public func cancel() { onEnd() }
}
