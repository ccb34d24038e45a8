public import FlagModel
import Synchronization

// Evaluations with their details, for telemetry.
extension FlagStore {
    /// The value of a flag, and the reason for it. Counts as a read.
    public func evaluationDetails<Value>(of key: FlagKey<Value>) -> EvaluationDetails<Value> {
        snapshot().evaluationDetails(of: key)
    }

    /// Calls a handler with each flag that the code reads, such as for exposure events. While any handler is there, each
    /// read takes microseconds instead of a nanosecond.
    ///
    /// - Parameter handler: called on the thread of the reader, after the flag was read and before the reader gets the
    ///   value. Flags that the handler reads are not reported.
    /// - Returns: the subscription, which ends when it is released. It covers snapshots that are made while it lasts.
    public func onEvaluation(
        _ handler: @escaping @Sendable (EvaluationDetails<String?>) -> Void
    ) -> FlagObservation {
        let number = state.withLock { state in
            state.lastHandler += 1
            state.evaluationHandlers[state.lastHandler] = handler
            return state.lastHandler
        }
        slowReadCount.wrappingAdd(1, ordering: .relaxed)
        return FlagObservation { [weak self] in
            self?.slowReadCount.wrappingSubtract(1, ordering: .relaxed)
            // Released without the lock, as the handler may have the last reference to an object of the app.
            let handler = self?.state.withLock { $0.evaluationHandlers.removeValue(forKey: number) }
            withExtendedLifetime(handler) {}
        }
    }

    /// Whether this task is calling handlers: the flags that they read are not reported, as that would never end.
    @TaskLocal private static var isReporting = false

    /// Whether any handler is called with the reads of this task.
    var reportsEvaluations: Bool {
        !Self.isReporting && state.withLock { !$0.evaluationHandlers.isEmpty }
    }

    /// Calls the handlers with a read.
    func report(_ details: EvaluationDetails<String?>) {
        guard !Self.isReporting else { return }
        let handlers = state.withLock { Array($0.evaluationHandlers.values) }
        Self.$isReporting.withValue(true) {
            for handler in handlers { handler(details) }
        }
    }
}
