#if Server
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

/// Streams of server-sent events: changes for the clients of OFREP, and for the page.
struct EventStream: Sendable {
    let changes: ServedChanges
    /// Different for each start of the server, so that a client notices a restart.
    let instance: String

    /// The response with the events that follow the last one that the reader has seen, by the header `Last-Event-ID`.
    ///
    /// - Parameter isPage: whether the page reads the stream, which also lists clients, rather than a client of OFREP,
    ///   which evaluates its flags again after each event.
    /// - Throws: that too many streams are open.
    func response(to request: Request, isPage: Bool) throws(APIError) -> Response {
        guard let subscription = changes.subscribe() else {
            throw APIError(.rateLimited, "Too many event streams are open. Evaluate flags without a stream, or retry.")
        }
        let lastID = request.headers[.lastEventID]
        let fields: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no",
        ]
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody { writer in
                // A reader that has gone gives its place to another one at once.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await write(subscription, isPage, after: lastID, into: &writer)
                } onInboundClosed: {
                    subscription.continuation.finish()
                }
            })
    }

    private func write(
        _ subscription: ServedChanges.Subscription, _ isPage: Bool, after lastID: String?,
        into writer: inout any ResponseBodyWriter
    ) async throws {
        var seen = changes.counts
        // Sent at once, so that the reader knows that it is connected.
        let missed = lastID.map { $0 == id(seen.revision) ? "" : changed(seen.revision, isPage) } ?? ""
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n" + missed))
        for await _ in subscription.signals {
            let counts = changes.counts
            let events = events(from: seen, to: counts, isPage)
            seen = counts
            // A comment keeps the connection open.
            try await writer.write(ByteBuffer(string: events.isEmpty ? ":\n\n" : events))
        }
        try await writer.finish(nil)
    }

    private func id(_ revision: Int) -> String { "\(instance)-\(revision)" }

    /// The events for what has changed; empty if the reader does not need any.
    private func events(from old: ServedChanges.Counts, to new: ServedChanges.Counts, _ isPage: Bool) -> String {
        let hasNewClients = isPage && new.clients != old.clients
        return (new.revision == old.revision ? "" : changed(new.revision, isPage))
            + (hasNewClients ? "event: message\ndata: {\"type\":\"clients\"}\n\n" : "")
    }

    private func changed(_ revision: Int, _ isPage: Bool) -> String {
        let members = isPage ? "\"changed\",\"revision\":\(revision)" : "\"refetchEvaluation\""
        return "id: \(id(revision))\nevent: message\ndata: {\"type\":\(members)}\n\n"
    }
}

/// Tells the event streams of apps and pages that something has changed. A stream compares the numbers of changes with
/// those that its reader has seen, so it takes the same memory however long its reader sleeps.
final class ServedChanges: Sendable {
    /// How many changes of each kind there were.
    struct Counts: Sendable, Equatable {
        /// Changes of values, of overrides, and of the state of sources.
        var revision = 0
        /// Changes of the list of clients.
        var clients = 0
    }

    /// The signals for one stream, one after each change, and what ends them. The place is free again when the signals
    /// end or are released, also if the reader has gone before its stream begins.
    typealias Subscription = (signals: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    private struct State {
        var counts = Counts()
        var subscriptions: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastNumber = 0
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: how many streams may be open at the same time.
    init(limit: Int) { self.limit = limit }

    /// The changes so far.
    var counts: Counts { state.withLock { $0.counts } }

    /// How many streams are open.
    var count: Int { state.withLock { $0.subscriptions.count } }

    /// Counts a change, and wakes all streams.
    func announce(_ change: (inout Counts) -> Void) {
        state.withLock { change(&$0.counts) }
        wakeAll()
    }

    /// Wakes all streams, also without a change.
    func wakeAll() {
        for continuation in state.withLock({ Array($0.subscriptions.values) }) { continuation.yield() }
    }

    /// A new subscription; `nil` if too many are open or the server is ending.
    func subscribe() -> Subscription? {
        state.withLock { state in
            guard state.subscriptions.count < limit, !state.hasEnded else { return nil }
            let subscription = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            state.lastNumber += 1
            let number = state.lastNumber
            subscription.continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.subscriptions[number] = nil }
            }
            state.subscriptions[number] = subscription.continuation
            return (subscription.stream, subscription.continuation)
        }
    }

    /// Ends all subscriptions; later ones are refused.
    func endAll() {
        let ended = state.withLock { state in
            state.hasEnded = true
            return Array(state.subscriptions.values)
        }
        ended.forEach { $0.finish() }
    }
}
#endif
