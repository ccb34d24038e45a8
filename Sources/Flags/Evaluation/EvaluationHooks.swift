public import FlagModel
import Synchronization

// Evaluations with their details, for telemetry.
extension FlagStore {
    /// The value of a flag, and the reason for it. Counts as a read.
    public func evaluationDetails<Value>(of key: FlagKey<Value>) -> EvaluationDetails<Value> {
        snapshot().evaluationDetails(of: key)
    }

    /// Calls a handler with each value of each flag that the code reads from now on, once, such as for exposure events.
    /// Later reads of the same value cost as much as without a handler.
    ///
    /// - Parameter handler: called on the thread of the reader, after the flag was read and before the reader gets the
    ///   value. Flags that the handler reads are not reported.
    /// - Returns: the subscription, which ends when it is released.
    public func onEvaluation(
        _ handler: @escaping @Sendable (EvaluationDetails<String?>) -> Void
    ) -> FlagObservation {
        // Before the slots are emptied: a reader that fills one of them must report.
        handlerCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
        let (number, withdrawn) = state.withLock { state in
            state.lastHandler += 1
            state.evaluationHandlers[state.lastHandler] = EvaluationHandler(call: handler)
            // The next read of each flag is reported.
            return (state.lastHandler, state.readFlags.keys.compactMap { slots.withdraw($0) })
        }
        withExtendedLifetime(withdrawn) {}
        return FlagObservation { [weak self] in
            self?.handlerCount.wrappingSubtract(1, ordering: .relaxed)
            // Released without the lock, as the handler may have the last reference to an object of the app.
            let handler = self?.state.withLock { $0.evaluationHandlers.removeValue(forKey: number) }
            withExtendedLifetime(handler) {}
        }
    }

    /// The call of handlers that this task is in. A task that a handler has started may outlive the call.
    @TaskLocal private static var reporting: Reporting?

    /// Whether reads of this task are of handlers: they are not reported, as that would never end.
    var isReporting: Bool { hasHandlers && Self.reporting?.hasEnded.load(ordering: .relaxed) == false }

    /// Whether there are handlers.
    var hasHandlers: Bool { handlerCount.load(ordering: .relaxed) != 0 }

    /// Calls the handlers with a read that was not reported before.
    ///
    /// - Parameter details: called if there is a handler that needs them.
    func report(_ exposure: @autoclosure () -> Exposure, details: () -> EvaluationDetails<String?>) {
        guard hasHandlers, !isReporting else { return }
        let exposure = exposure()
        let handlers = state.withLock { state in
            // A copy of the keys, so that the handlers are changed in place.
            Array(state.evaluationHandlers.keys).compactMap { state.evaluationHandlers[$0]?.addingCall(exposure) }
        }
        guard !handlers.isEmpty else { return }
        let (details, reporting) = (details(), Reporting())
        Self.$reporting.withValue(reporting) {
            for handler in handlers { handler(details) }
        }
        reporting.hasEnded.store(true, ordering: .relaxed)
    }
}

/// A call of handlers.
private final class Reporting: Sendable {
    let hasEnded = Atomic(false)
}

/// A value of a flag that the code has read.
struct Exposure: Hashable {
    let key: String
    let type: FlagType
    let text: String?
    let layer: FlagLayer?
}

/// A handler, and what it was called with.
struct EvaluationHandler {
    let call: @Sendable (EvaluationDetails<String?>) -> Void
    private var reported: Set<Exposure> = []

    /// A flag may have a new value every time, so more are forgotten, and reported again.
    private static let limit = 10_000

    init(call: @escaping @Sendable (EvaluationDetails<String?>) -> Void) { self.call = call }

    /// The handler if it was not called with a value yet; from now on it was.
    mutating func addingCall(_ exposure: Exposure) -> (@Sendable (EvaluationDetails<String?>) -> Void)? {
        guard !reported.contains(exposure) else { return nil }
        if reported.count >= Self.limit { reported = [] }
        reported.insert(exposure)
        return call
    }
}
