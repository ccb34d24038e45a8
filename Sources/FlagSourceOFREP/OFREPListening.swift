import FlagModel
import FlagRemote
import Synchronization

/// Subscribes to the streams that a server currently offers, and reports changes.
struct OFREPListening: Sendable {
    let settings: OFREPSettings
    let client: SourceClient
    let news: AsyncStream<SourceHint>.Continuation
    let note: @Sendable (RefetchHint) -> Void
    /// The streams of the newest response.
    let offered: @Sendable () -> Set<EventStreamAddress>
    let obstacles = StreamObstacles()

    /// The most subscriptions; servers offer one or two streams.
    static let streamLimit = 8

    /// Runs until the task is cancelled or `changes` ends, which signals that the offered streams have changed. A
    /// changed set of streams closes the connections of the old one; the same set keeps them.
    ///
    /// Each new connection leads to a request, as earlier changes were not reported. If each response has new URLs,
    /// that would go on endlessly, so sets that follow each other quickly wait as broken connections do.
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
            // Errors of a stream that is no longer offered are dropped.
            tell(obstacles.want(wanted, surplus: surplus(offered)))
            for address in wanted where running[address] == nil {
                running[address] = Task { await listen(to: address) }
            }
        }
    }

    /// Whether connections were opened less than a minute ago, too soon for a stable stream.
    private func isSoon(after opening: Timestamp?) -> Bool {
        opening.map { client.clock.now().seconds - $0.seconds < EventFeed.longestWait.components.seconds } ?? false
    }

    /// Waits before other URLs are tried. Returns `false` if the task was cancelled.
    private func pause(afterChanges count: Int) async -> Bool {
        guard count > 0 else { return true }
        let wait = EventFeed.backoff.wait(afterFailures: count, chance: client.clock.chance())
        return (try? await client.clock.sleep(wait)) != nil
    }

    /// As many of the streams as are allowed, those already connected first.
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
                // Earlier changes were not reported, even at the first connection: it opens after the first response.
                news.yield(.changed)
            case .event(let event):
                guard let root = (try? JSONDocument(parsing: Array(event.data.utf8)))?.root else {
                    // An event that cannot be decoded still means a change: fetch.
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

/// Which of the offered streams have failed, and what to report.
final class StreamObstacles: Sendable {
    private struct State {
        var wanted: Set<EventStreamAddress> = []
        /// Why streams have failed, the oldest first.
        var errors: [(address: EventStreamAddress, error: SourceError)] = []
        /// Why there are no further subscriptions.
        var surplus: SourceError?

        /// The status of all streams.
        var hint: SourceHint { (errors.first?.error ?? surplus).map { .disconnected($0) } ?? .connected }
    }

    private let state = Mutex(State())

    /// Sets the streams that count from now on.
    ///
    /// - Parameter surplus: why further offered streams are not connected.
    /// - Returns: what to report if a failed stream is no longer among them, or there are too many.
    func want(_ addresses: Set<EventStreamAddress>, surplus: SourceError? = nil) -> SourceHint? {
        state.withLock { state in
            state.wanted = addresses
            let known = (state.errors.count, state.surplus?.sentence)
            state.errors.removeAll { !addresses.contains($0.address) }
            state.surplus = surplus
            return state.errors.count < known.0 || surplus?.sentence != known.1 ? state.hint : nil
        }
    }

    /// Records that a stream has failed.
    func add(_ error: SourceError, of address: EventStreamAddress) -> SourceHint? {
        state.withLock { state in
            guard state.wanted.contains(address) else { return nil }
            state.errors.removeAll { $0.address == address }
            state.errors.append((address, error))
            return .disconnected(error)
        }
    }

    /// Records that a stream is connected.
    func remove(of address: EventStreamAddress) -> SourceHint? {
        state.withLock { state in
            guard state.wanted.contains(address) else { return nil }
            state.errors.removeAll { $0.address == address }
            return state.hint
        }
    }
}

extension RefetchHint {
    /// Decodes the data of an event. Its kind is in the data, whatever the event's name; unknown kinds are ignored.
    init?(_ root: JSONValue) {
        guard root["type"]?.text?.string == "refetchEvaluation" else { return nil }
        etag = root["etag"]?.text?.string
        lastModified = root["lastModified"].flatMap { $0.kind == .number ? $0.source : $0.text?.string }
    }
}
