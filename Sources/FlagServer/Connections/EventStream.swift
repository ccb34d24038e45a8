#if Server
import HTTPTypes
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import Synchronization

// Streams of server-sent events: changes for the clients of OFREP, and for the page.
extension ServedFlags {
    /// The response with the events that follow the last one that the reader has seen, by the header `Last-Event-ID`.
    ///
    /// - Parameter isPage: whether the page reads the stream, which also lists clients, rather than a client of OFREP,
    ///   which evaluates its flags again after each event.
    /// - Throws: that too many streams are open.
    func events(for request: Request, isPage: Bool) throws(APIError) -> Response {
        guard let signals = changes.subscribe() else {
            throw APIError(.rateLimited, "Too many event streams are open. Evaluate flags without a stream, or retry.")
        }
        let lastID = request.headers[.lastEventID]
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"],
            body: ResponseBody { [self] writer in
                // A reader that has gone gives its place to another one at once.
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await write(signals, isPage, after: lastID, into: &writer)
                }
            })
    }

    private func write(
        _ signals: AsyncStream<Void>, _ isPage: Bool, after lastID: String?, into writer: inout any ResponseBodyWriter
    ) async throws {
        var (revision, evaluations) = (shared.revision, log.evaluations)
        // Sent at once, so that the reader knows that it is connected.
        let missed = lastID == nil || lastID == id(revision) ? "" : changed(revision, isPage)
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n" + missed))
        // The server waits for open responses, so streams end first. Not by cancelOnGracefulShutdown(), whose lock and the
        // runtime's wait for each other if a reader goes while its stream is woken.
        try await withGracefulShutdownHandler {
            for await _ in signals {
                let seen = (revision: revision, evaluations: evaluations)
                (revision, evaluations) = (shared.revision, log.evaluations)
                var events = revision == seen.revision ? "" : changed(revision, isPage)
                if isPage, evaluations != seen.evaluations {
                    events += "event: message\ndata: {\"type\":\"clients\"}\n\n"
                }
                // A comment keeps the connection open.
                try await writer.write(ByteBuffer(string: events.isEmpty ? ":\n\n" : events))
            }
        } onGracefulShutdown: { [changes] in
            changes.endAll()
        }
        try await writer.finish(nil)
    }

    private func id(_ revision: Int) -> String { "\(instance)-\(revision)" }

    private func changed(_ revision: Int, _ isPage: Bool) -> String {
        let members = isPage ? "\"changed\",\"revision\":\(revision)" : "\"refetchEvaluation\""
        return "id: \(id(revision))\nevent: message\ndata: {\"type\":\(members)}\n\n"
    }
}

/// Wakes the event streams of apps and pages after a change. A stream compares what there is with what its reader has
/// seen, so it takes the same memory however long its reader sleeps.
final class ServedChanges: Sendable {
    private let subscriptions = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])
    private let limit: Int

    /// - Parameter limit: how many streams may be open at the same time.
    init(limit: Int) { self.limit = limit }

    /// How many streams are open.
    var count: Int { subscriptions.withLock { $0.count } }

    /// Wakes all streams, after a change or to keep their connections open.
    func wakeAll() {
        for continuation in subscriptions.withLock({ Array($0.values) }) { continuation.yield() }
    }

    /// Ends all streams.
    func endAll() {
        for continuation in subscriptions.withLock({ Array($0.values) }) { continuation.finish() }
    }

    /// The signals for one stream; `nil` if too many are open. The place is free again when the signals end or are
    /// released, also if the reader has gone before its stream begins.
    func subscribe() -> AsyncStream<Void>? {
        subscriptions.withLock { subscriptions in
            guard subscriptions.count < limit else { return nil }
            let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let number = (subscriptions.keys.max() ?? 0) + 1
            continuation.onTermination = { [weak self] _ in self?.subscriptions.withLock { $0[number] = nil } }
            subscriptions[number] = continuation
            return signals
        }
    }
}
#endif
