import FlagModel
import FlagRemote
import Synchronization

/// Subscribes to the streams that a server currently offers, and reports changes.
actor OFREPSubscription {
    private let source: OFREPSource
    private let updates: AsyncStream<LiveUpdateEvent>.Continuation
    private var running: [EventStreamAddress: Task<Void, Never>] = [:]
    /// Why streams have failed, the oldest first.
    private var errors: [(address: EventStreamAddress, error: SourceError)] = []
    /// Why some of the offered streams are not connected; `nil` if all are.
    private var surplusError: SourceError?

    /// The maximum number of streams. Servers offer one or two.
    static let streamLimit = 8

    /// How often a server that offers no streams, such as flagd, is polled, unless the settings have an interval: every
    /// 30 s, as earlier clients of the protocol did.
    static let pollInterval = Duration.seconds(30)
    /// The limits of a poll interval that the server's responses determine.
    private static let (leastPollInterval, longestPollInterval) = (Duration.seconds(5), Duration.seconds(3_600))

    init(to source: OFREPSource, _ updates: AsyncStream<LiveUpdateEvent>.Continuation) {
        (self.source, self.updates) = (source, updates)
    }

    private var clock: SourceClock { source.client.clock }

    /// The streams of the newest response.
    private var offered: Set<EventStreamAddress> { source.state.withLock { $0.streams } ?? [] }

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
        var polling: Task<Void, Never>?
        defer {
            for task in running.values { task.cancel() }
            polling?.cancel()
        }
        var (changesInARow, opening) = (0, FlagTimestamp?.none)
        for await _ in changes {
            if offered.isEmpty, source.settings.pollInterval == nil {
                polling = polling ?? Task { await poll() }
            } else {
                polling?.cancel()
                polling = nil
            }
            guard offered != Set(running.keys) else { continue }
            if !offered.isSubset(of: running.keys) {
                let isSoon = opening.map { clock.now().seconds - $0.seconds < EventFeed.longestWait.components.seconds }
                changesInARow = isSoon == true ? changesInARow + 1 : 0
                if changesInARow > 0 {
                    let wait = EventFeed.backoff.wait(afterFailures: changesInARow, random: clock.random())
                    guard (try? await clock.sleep(wait)) != nil else { return }
                }
                opening = clock.now()
            }
            connect(to: offered)
        }
    }

    /// Reports a possible change at each interval, until the task is cancelled.
    private func poll() async {
        func interval() -> Duration { Self.pollInterval(cacheAge: source.state.withLock { $0.cacheAge }) }
        while (try? await clock.sleep(interval())) != nil { updates.yield(.changed) }
    }

    /// Connects to at most ``streamLimit`` of the streams; those already connected take precedence.
    private func connect(to offered: Set<EventStreamAddress>) {
        let connected = offered.filter { running[$0] != nil }
        let new = offered.subtracting(connected).sorted { $0.url.text < $1.url.text }
        for (address, task) in running where !connected.contains(address) {
            task.cancel()
            running[address] = nil
        }
        // Errors of a stream that is no longer offered are dropped.
        let (oldCount, oldSentence) = (errors.count, surplusError?.sentence)
        errors.removeAll { !connected.contains($0.address) }
        surplusError =
            offered.count <= Self.streamLimit
            ? nil
            : SourceError(
                .faulty, of: source.name,
                "the server offers \(offered.count) streams of changes; \(Self.streamLimit) of them are used")
        if errors.count < oldCount || surplusError?.sentence != oldSentence { reportStatus() }
        for address in new.prefix(Self.streamLimit - connected.count) {
            let feed = EventFeed(source.client, source.settings.request(for: address))
            running[address] = Task { await feed.run { await self.handle($0, of: address) } }
        }
    }

    private func handle(_ update: EventFeed.Update, of address: EventStreamAddress) -> Bool {
        // The connection is closed if the server no longer offers the stream.
        guard running[address] != nil else { return false }
        switch update {
        case .opened:
            errors.removeAll { $0.address == address }
            reportStatus()
            // Changes before the connection were not reported. Even the first connection opens after the first response.
            updates.yield(.changed)
        case .event(let event):
            // An event that cannot be decoded still means a change: fetch.
            if let root = (try? JSONDocument(parsing: Array(event.data.utf8)))?.root {
                guard let refetchEvent = RefetchEvent(root) else { break }
                source.state.withLock { $0.refetchEvent = refetchEvent }
            }
            updates.yield(.changed)
        case .lost(let error, _):
            errors.removeAll { $0.address == address }
            errors.append((address, error))
            updates.yield(.disconnected(error))
        }
        return true
    }

    /// Reports the status of all streams.
    private func reportStatus() {
        updates.yield((errors.first?.error ?? surplusError).map { .disconnected($0) } ?? .connected)
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
