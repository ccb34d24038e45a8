import Dispatch

/// A handler that is called as long as this is kept: hold it for as long as you want to know.
public final class FlagObservation: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }

    /// Ends the calls. One that has begun may still be running.
    public func cancel() { onEnd() }
}
