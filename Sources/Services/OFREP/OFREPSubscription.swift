import FlagModel
import FlagRemote
import Synchronization

/// Subscribes to the streams that a server currently offers, and reports changes.
struct OFREPSubscription: Sendable {
    let settings: OFREPSettings
    let client: SourceClient
    let updates: AsyncStream<LiveUpdateEvent>.Continuation
    /// Called with each event that requests to fetch the flags again.
    let onRefetchEvent: @Sendable (RefetchEvent) -> Void
    /// The streams of the newest response.
    let offered: @Sendable () -> Set<EventStreamAddress>
    /// How often the server is polled while it offers no streams.
    let pollInterval: @Sendable () -> Duration
    let errors = StreamErrors()

    /// The maximum number of subscriptions. Servers offer one or two streams.
    static let streamLimit = 8

    /// How often a server that offers no streams, such as flagd, is polled, unless the settings have an interval: every
    /// 30 s, as earlier clients of the protocol did.
    static let pollInterval = Duration.seconds(30)
    /// The limits of a poll interval that the server's responses determine.
    private static let (leastPollInterval, longestPollInterval) = (Duration.seconds(5), Duration.seconds(3_600))

    /// How often a server without streams is polled: at the interval for which its responses may be cached, or else at
    /// ``pollInterval``.
    static func pollInterval(cacheAge: Duration?) -> Duration {
        guard let cacheAge, cacheAge > .zero else { return pollInterval }
        return min(max(cacheAge, leastPollInterval), longestPollInterval)
    }

    /// Runs until the task is cancelled or `changes` ends. Connections to streams that are no longer offered are
    /// closed; the others stay open.
    ///
    /// Each new connection leads to a request, as earlier changes were not reported. If each response offered new URLs,
    /// the requests would never end, so new URLs in quick succession are delayed like broken connections.
    ///
    /// - Parameter changes: yields when the offered streams have changed.
    func run(_ changes: AsyncStream<Void>) async {
        var running: [EventStreamAddress: Task<Void, Never>] = [:]
        var polling: Task<Void, Never>?
        defer {
            for task in running.values { task.cancel() }
            polling?.cancel()
        }
        var (changesInARow, opening) = (0, FlagTimestamp?.none)
        for await _ in changes {
            if offered().isEmpty, settings.pollInterval == nil {
                polling = polling ?? Task { await poll() }
            } else {
                polling?.cancel()
                polling = nil
            }
            guard offered() != Set(running.keys) else { continue }
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
            report(errors.want(wanted, surplusError: surplusError(offered)))
            for address in wanted where running[address] == nil {
                running[address] = Task { await listen(to: address) }
            }
        }
    }

    /// Reports a possible change at each interval, until the task is cancelled.
    private func poll() async {
        while (try? await client.clock.sleep(pollInterval())) != nil { updates.yield(.changed) }
    }

    /// Whether connections were last opened less than a minute ago.
    private func isSoon(after opening: FlagTimestamp?) -> Bool {
        opening.map { client.clock.now().seconds - $0.seconds < EventFeed.longestWait.components.seconds } ?? false
    }

    /// Waits before new URLs are opened. Returns `false` if the task was cancelled.
    private func pause(afterChanges count: Int) async -> Bool {
        guard count > 0 else { return true }
        let wait = EventFeed.backoff.wait(afterFailures: count, random: client.clock.random())
        return (try? await client.clock.sleep(wait)) != nil
    }

    /// At most ``streamLimit`` of the streams; those already connected take precedence.
    private func limited(
        _ offered: Set<EventStreamAddress>, _ running: [EventStreamAddress: Task<Void, Never>]
    ) -> Set<EventStreamAddress> {
        guard offered.count > Self.streamLimit else { return offered }
        let connected = offered.filter { running[$0] != nil }
        let new = offered.subtracting(connected).sorted { $0.url.text < $1.url.text }
        return connected.union(new.prefix(Self.streamLimit - connected.count))
    }

    private func surplusError(_ offered: Set<EventStreamAddress>) -> SourceError? {
        guard offered.count > Self.streamLimit else { return nil }
        return SourceError(
            code: .faulty, path: settings.name,
            sentence:
                "the server offers \(offered.count) streams of changes; \(Self.streamLimit) of them are used")
    }

    private func listen(to address: EventStreamAddress) async {
        let feed = EventFeed(client, settings.request(for: address))
        await feed.run { update in
            switch update {
            case .opened:
                report(errors.remove(of: address))
                // Changes before the connection were not reported. Even the first connection opens after the first
                // response.
                updates.yield(.changed)
            case .event(let event):
                guard let root = (try? JSONDocument(parsing: Array(event.data.utf8)))?.root else {
                    // An event that cannot be decoded still means a change: fetch.
                    updates.yield(.changed)
                    break
                }
                guard let refetchEvent = RefetchEvent(root) else { break }
                onRefetchEvent(refetchEvent)
                updates.yield(.changed)
            case .lost(let error, _): report(errors.add(error, of: address))
            }
            return true
        }
    }

    private func report(_ event: LiveUpdateEvent?) {
        if let event { updates.yield(event) }
    }
}

/// The errors of the connected streams. Each method that changes them returns the event to report, or `nil` for none.
final class StreamErrors: Sendable {
    private struct State {
        var wanted: Set<EventStreamAddress> = []
        /// Why streams have failed, the oldest first.
        var errors: [(address: EventStreamAddress, error: SourceError)] = []
        /// Why some of the offered streams are not connected; `nil` if all are.
        var surplusError: SourceError?

        /// The event that reports the status of all streams.
        var event: LiveUpdateEvent { (errors.first?.error ?? surplusError).map { .disconnected($0) } ?? .connected }
    }

    private let state = Mutex(State())

    /// Sets the streams whose errors are reported.
    ///
    /// - Parameter surplusError: why some of the offered streams are not connected; `nil` if all are.
    /// - Returns: the event to report if a failed stream no longer counts, or `surplusError` has changed.
    func want(_ addresses: Set<EventStreamAddress>, surplusError: SourceError? = nil) -> LiveUpdateEvent? {
        state.withLock { state in
            state.wanted = addresses
            let (oldCount, oldSentence) = (state.errors.count, state.surplusError?.sentence)
            state.errors.removeAll { !addresses.contains($0.address) }
            state.surplusError = surplusError
            return state.errors.count < oldCount || surplusError?.sentence != oldSentence ? state.event : nil
        }
    }

    /// Records that a stream has failed; returns the event to report, or `nil` for none.
    func add(_ error: SourceError, of address: EventStreamAddress) -> LiveUpdateEvent? {
        state.withLock { state in
            guard state.wanted.contains(address) else { return nil }
            state.errors.removeAll { $0.address == address }
            state.errors.append((address, error))
            return .disconnected(error)
        }
    }

    /// Records that a stream is connected; returns the event to report, or `nil` for none.
    func remove(of address: EventStreamAddress) -> LiveUpdateEvent? {
        state.withLock { state in
            guard state.wanted.contains(address) else { return nil }
            state.errors.removeAll { $0.address == address }
            return state.event
        }
    }
}

extension RefetchEvent {
    /// Decodes the data of an event; `nil` for other kinds of events. The kind is a member of the data, not the event's
    /// name.
    init?(_ root: JSONValue) {
        guard root["type"]?.text?.string == "refetchEvaluation" else { return nil }
        etag = root["etag"]?.text?.string
        lastModified = root["lastModified"].flatMap { $0.kind == .number ? $0.source : $0.text?.string }
    }
}
