import FlagModel
import FlagRemote
import Synchronization

/// Listens to whatever streams a server offers at the time, and says what they tell.
struct OFREPListening: Sendable {
    let settings: OFREPSettings
    let client: SourceClient
    let news: AsyncStream<SourceHint>.Continuation
    let note: @Sendable (RefetchHint) -> Void
    /// The streams of the newest answer.
    let offered: @Sendable () -> Set<EventStreamAddress>
    let obstacles = StreamObstacles()

    /// So many streams are listened to; servers offer one or two.
    static let streamLimit = 8

    /// Listens until the task is cancelled or `changes` ends, which tells that the offered streams have changed. A changed set of
    /// streams ends the connections of the old one; the same set goes on with them.
    ///
    /// Each new connection leads to a request, as what has changed before was told to nobody. If its response has new addresses again,
    /// that goes on without end, so sets that follow each other soon wait as connections do that break off.
    func run(_ changes: AsyncStream<Void>) async {
        var running: [EventStreamAddress: Task<Void, Never>] = [:]
        defer { for task in running.values { task.cancel() } }
        var (changesInARow, opening) = (0, Timestamp?.none)
        for await _ in changes where offered() != Set(running.keys) {
            if !offered().isSubset(of: running.keys) {
                changesInARow = isSoon(after: opening) ? changesInARow + 1 : 0
                guard await pause(afterChanges: changesInARow) else { return }
                opening = client.clock.now()
            }
            let offered = self.offered()
            let wanted = limited(offered, running)
            for (address, task) in running where !wanted.contains(address) {
                task.cancel()
                running[address] = nil
            }
            // What hindered a stream that is offered no more hinders nothing.
            tell(obstacles.want(wanted, surplus: surplus(offered)))
            for address in wanted where running[address] == nil {
                running[address] = Task { await listen(to: address) }
            }
        }
    }

    /// Whether connections were opened less than a minute ago, which is no time for a stream to stand.
    private func isSoon(after opening: Timestamp?) -> Bool {
        opening.map { client.clock.now().seconds - $0.seconds < EventFeed.longestWait.components.seconds } ?? false
    }

    /// Waits before other addresses are tried. Returns `false` if the task was cancelled.
    private func pause(afterChanges count: Int) async -> Bool {
        guard count > 0 else { return true }
        let wait = EventFeed.backoff.wait(afterFailures: count, chance: client.clock.chance())
        return (try? await client.clock.sleep(wait)) != nil
    }

    /// As many of the streams as are listened to, those before others that are already.
    private func limited(
        _ offered: Set<EventStreamAddress>, _ running: [EventStreamAddress: Task<Void, Never>]
    ) -> Set<EventStreamAddress> {
        guard offered.count > Self.streamLimit else { return offered }
        let known = offered.filter { running[$0] != nil }
        let new = offered.subtracting(known).sorted { $0.url.text < $1.url.text }
        return known.union(new.prefix(Self.streamLimit - known.count))
    }

    private func surplus(_ offered: Set<EventStreamAddress>) -> SourceError? {
        guard offered.count > Self.streamLimit else { return nil }
        return SourceError(
            code: .faulty, path: settings.name,
            sentence:
                "the server offers \(offered.count) streams of changes; \(Self.streamLimit) of them are used")
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
        /// Why further streams are not listened to.
        var surplus: SourceError?

        /// What holds of all streams.
        var hint: SourceHint { (errors.first?.error ?? surplus).map { .disconnected($0) } ?? .connected }
    }

    private let state = Mutex(State())

    /// Has only these streams count from now on.
    ///
    /// - Parameter surplus: why further ones that are offered are not listened to.
    /// - Returns: what there is to tell if one that was not heard is none of them, or there are too many.
    func want(_ addresses: Set<EventStreamAddress>, surplus: SourceError? = nil) -> SourceHint? {
        state.withLock { state in
            state.wanted = addresses
            let known = (state.errors.count, state.surplus?.sentence)
            state.errors.removeAll { !addresses.contains($0.address) }
            state.surplus = surplus
            return state.errors.count < known.0 || surplus?.sentence != known.1 ? state.hint : nil
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
