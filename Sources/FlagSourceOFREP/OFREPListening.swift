import FlagModel
import FlagRemote
import Synchronization

/// Listens to whatever streams a server offers at the time, and says what they tell.
struct OFREPListening: Sendable {
    let settings: OFREPSettings
    let client: SourceClient
    let news: AsyncStream<SourceHint>.Continuation
    let note: @Sendable (RefetchHint) -> Void
    let obstacles = StreamObstacles()

    /// Listens until the task is cancelled or the addresses end. A changed set of streams ends the connections of the old
    /// one; the same set goes on with them.
    func run(_ addresses: AsyncStream<Set<EventStreamAddress>>) async {
        var running: [EventStreamAddress: Task<Void, Never>] = [:]
        for await wanted in addresses {
            for (address, task) in running where !wanted.contains(address) {
                task.cancel()
                running[address] = nil
            }
            // What hindered a stream that is offered no more hinders nothing.
            tell(obstacles.want(wanted))
            for address in wanted where running[address] == nil {
                running[address] = Task { await listen(to: address) }
            }
        }
        for task in running.values { task.cancel() }
    }

    private func listen(to address: EventStreamAddress) async {
        let feed = EventFeed(client, settings.request(for: address))
        await feed.run { happened in
            switch happened {
            case .opened:
                tell(obstacles.remove(of: address))
                // What changed before was told to nobody, at the first connection too: it comes after the first answer.
                news.yield(.changed)
            case .event(let event):
                guard let root = (try? JSONDocument(parsing: Array(event.data.utf8)))?.root else {
                    // What cannot be read was said for a reason: ask.
                    news.yield(.changed)
                    break
                }
                guard let hint = RefetchHint(root) else { break }
                note(hint)
                news.yield(.changed)
            case .lost(let error, _): tell(obstacles.add(error, of: address))
            }
            return true
        }
    }

    private func tell(_ hint: SourceHint?) {
        if let hint { news.yield(hint) }
    }
}

/// Which of the streams that a server offers are not heard, and what there is to tell of that.
final class StreamObstacles: Sendable {
    private struct State {
        var wanted: Set<EventStreamAddress> = []
        /// Why streams are not heard, the oldest first.
        var errors: [(address: EventStreamAddress, error: SourceError)] = []

        /// What holds of all streams.
        var hint: SourceHint { errors.first.map { .disconnected($0.error) } ?? .connected }
    }

    private let state = Mutex(State())

    /// Has only these streams count from now on. Answers what there is to tell where one that was not heard is none of them.
    func want(_ addresses: Set<EventStreamAddress>) -> SourceHint? {
        state.withLock { state in
            state.wanted = addresses
            let count = state.errors.count
            state.errors.removeAll { !addresses.contains($0.address) }
            return state.errors.count < count ? state.hint : nil
        }
    }

    /// Notes that a stream is not heard.
    func add(_ error: SourceError, of address: EventStreamAddress) -> SourceHint? {
        state.withLock { state in
            guard state.wanted.contains(address) else { return nil }
            state.errors.removeAll { $0.address == address }
            state.errors.append((address, error))
            return .disconnected(error)
        }
    }

    /// Notes that a stream is heard.
    func remove(of address: EventStreamAddress) -> SourceHint? {
        state.withLock { state in
            guard state.wanted.contains(address) else { return nil }
            state.errors.removeAll { $0.address == address }
            return state.hint
        }
    }
}

extension RefetchHint {
    /// Reads the data of an event. The kind stands there, whatever the event is called; kinds that are not known say nothing.
    init?(_ root: JSONValue) {
        guard root["type"]?.text?.string == "refetchEvaluation" else { return nil }
        etag = root["etag"]?.text?.string
        lastModified = root["lastModified"].flatMap { $0.kind == .number ? $0.source : $0.text?.string }
    }
}
