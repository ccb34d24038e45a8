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
        let (number, withdrawn) = state.withLock { state in
            state.lastHandler += 1
            state.evaluationHandlers[state.lastHandler] = EvaluationHandler(call: handler)
            // The next read of each flag is reported.
            return (state.lastHandler, state.readFlags.keys.compactMap { slots.withdraw($0) })
        }
        withExtendedLifetime(withdrawn) {}
        handlerCount.wrappingAdd(1, ordering: .relaxed)
        return FlagObservation { [weak self] in
            self?.handlerCount.wrappingSubtract(1, ordering: .relaxed)
            // Released without the lock, as the handler may have the last reference to an object of the app.
            let handler = self?.state.withLock { $0.evaluationHandlers.removeValue(forKey: number) }
            withExtendedLifetime(handler) {}
        }
    }

    /// Whether this task is calling handlers: the flags that they read are not reported, as that would never end.
    @TaskLocal private static var isReporting = false

    /// Whether reads of this task are of handlers.
    var isReporting: Bool { handlerCount.load(ordering: .relaxed) != 0 && Self.isReporting }

    /// Calls the handlers with a read that was not reported before.
    ///
    /// - Parameter details: called if there is a handler that needs them.
    func report(_ exposure: @autoclosure () -> Exposure, details: () -> EvaluationDetails<String?>) {
        guard handlerCount.load(ordering: .relaxed) != 0, !Self.isReporting else { return }
        let exposure = exposure()
        let handlers = state.withLock { state in
            state.evaluationHandlers.keys.compactMap { state.evaluationHandlers[$0]?.addingCall(exposure) }
        }
        guard !handlers.isEmpty else { return }
        let details = details()
        Self.$isReporting.withValue(true) {
            for handler in handlers { handler(details) }
        }
    }
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
