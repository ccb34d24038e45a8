import FlagRemote
import Synchronization

/// One request shared by all concurrent callers. The request is cancelled when no caller waits for it any more.
final class SingleFlight<Value: Sendable>: Sendable {
    private typealias Outcome = Result<Value, SourceError>

    /// A request under way.
    private struct Flight {
        let number: Int
        let task: Task<Void, Never>
        var waiting: [Int: AsyncStream<Outcome>.Continuation] = [:]
    }

    private struct State {
        var flight: Flight?
        var count = 0
    }

    private let state = Mutex(State())

    /// The response to the request under way or, if there is none, to a new one.
    ///
    /// - Parameters:
    ///   - source: the source's name in errors.
    ///   - operation: sends the request.
    /// - Throws: why there is no response, or an error if the caller is cancelled. The request then continues for other
    ///   callers.
    func value(
        _ source: String, _ operation: @escaping @Sendable () async throws(SourceError) -> Value
    ) async throws(SourceError) -> Value {
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let id = join(continuation, operation)
        continuation.onTermination = { [weak self] _ in self?.leave(id) }
        for await outcome in outcomes { return try outcome.get() }
        throw .cancelled(source)
    }

    private func join(
        _ continuation: AsyncStream<Outcome>.Continuation,
        _ operation: @escaping @Sendable () async throws(SourceError) -> Value
    ) -> Int {
        state.withLock { state in
            state.count += 1
            let id = state.count
            if state.flight == nil {
                let task = Task { finish(id, await Self.outcome(of: operation)) }
                state.flight = Flight(number: id, task: task)
            }
            state.flight?.waiting[id] = continuation
            return id
        }
    }

    private static func outcome(of operation: @Sendable () async throws(SourceError) -> Value) async -> Outcome {
        do throws(SourceError) {
            return .success(try await operation())
        } catch {
            return .failure(error)
        }
    }

    private func finish(_ number: Int, _ outcome: Outcome) {
        let waiting = state.withLock { state -> [AsyncStream<Outcome>.Continuation] in
            guard let flight = state.flight, flight.number == number else { return [] }
            state.flight = nil
            return Array(flight.waiting.values)
        }
        // Outside the lock: each waiter removes itself when it resumes.
        for continuation in waiting {
            continuation.yield(outcome)
            continuation.finish()
        }
    }

    private func leave(_ id: Int) {
        let abandonedTask = state.withLock { state -> Task<Void, Never>? in
            guard state.flight?.waiting.removeValue(forKey: id) != nil, state.flight?.waiting.isEmpty == true else {
                return nil
            }
            defer { state.flight = nil }
            return state.flight?.task
        }
        abandonedTask?.cancel()
    }
}
