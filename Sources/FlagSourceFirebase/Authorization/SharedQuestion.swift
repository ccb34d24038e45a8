import FlagRemote
import Synchronization

/// One request shared by all concurrent callers. It is cancelled when no caller waits for it any more.
final class SharedQuestion<Answer: Sendable>: Sendable {
    private typealias Outcome = Result<Answer, SourceError>

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

    /// The response to the request under way, else to a new one.
    ///
    /// - Parameters:
    ///   - source: the source as messages name it.
    ///   - ask: sends the request.
    /// - Throws: why there is no response, or that the caller is cancelled; the request then continues for other
    ///   callers.
    func answer(
        _ source: String, _ ask: @escaping @Sendable () async throws(SourceError) -> Answer
    ) async throws(SourceError) -> Answer {
        let (outcomes, place) = AsyncStream.makeStream(of: Outcome.self)
        let id = join(place, ask)
        place.onTermination = { [weak self] _ in self?.leave(id) }
        for await outcome in outcomes { return try outcome.get() }
        throw .cancelled(source)
    }

    private func join(
        _ place: AsyncStream<Outcome>.Continuation, _ ask: @escaping @Sendable () async throws(SourceError) -> Answer
    ) -> Int {
        state.withLock { state in
            state.count += 1
            let id = state.count
            if state.flight == nil {
                let task = Task { finish(id, await Self.outcome(of: ask)) }
                state.flight = Flight(number: id, task: task)
            }
            state.flight?.waiting[id] = place
            return id
        }
    }

    private static func outcome(of ask: @Sendable () async throws(SourceError) -> Answer) async -> Outcome {
        do throws(SourceError) {
            return .success(try await ask())
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
        for place in waiting {
            place.yield(outcome)
            place.finish()
        }
    }

    private func leave(_ id: Int) {
        let abandoned = state.withLock { state -> Task<Void, Never>? in
            guard state.flight?.waiting.removeValue(forKey: id) != nil, state.flight?.waiting.isEmpty == true else {
                return nil
            }
            defer { state.flight = nil }
            return state.flight?.task
        }
        abandoned?.cancel()
    }
}
