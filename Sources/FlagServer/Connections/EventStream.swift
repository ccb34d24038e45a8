#if Server
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Streams of server-sent events: changes for the clients of OFREP, and for the page.
struct EventStream: Sendable {
    /// Who reads the stream.
    enum Reader: Sendable {
        /// A client of OFREP, which evaluates its flags again after each event.
        case client
        /// The page, which also lists clients.
        case page
    }

    let feed: ServedChanges
    let flags: ServedFlags
    /// Different for each start of the server, so that a client notices a restart.
    let instance: String

    /// The response with the events.
    ///
    /// - Parameter lastID: the id of the last event that the reader has seen, from `Last-Event-ID`.
    /// - Throws: that too many streams are open.
    func response(to reader: Reader, after lastID: String?) throws(APIError) -> Response {
        guard let reading = feed.subscribe() else {
            throw APIError(.rateLimited, "Too many event streams are open. Evaluate flags without a stream, or retry.")
        }
        let fields: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no",
        ]
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody { writer in
                defer { withExtendedLifetime(reading) {} }
                // Sent at once, so that the reader knows that it is connected.
                try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
                let revision = flags.moment.revision
                if let lastID, lastID != id(revision) {
                    try await writer.write(ByteBuffer(string: text(.changed(revision: revision), to: reader) ?? ""))
                }
                for await _ in reading.subscription.signals {
                    let events = reading.subscription.drain().compactMap { text($0, to: reader) }
                    // A comment keeps the connection open, and finds out that the reader is gone.
                    try await writer.write(ByteBuffer(string: events.isEmpty ? ":\n\n" : events.joined()))
                }
                try await writer.finish(nil)
            })
    }

    private func id(_ revision: Int) -> String { "\(instance)-\(revision)" }

    /// The event for a change; `nil` if the reader does not need it.
    private func text(_ change: ServedChanges.Change, to reader: Reader) -> String? {
        switch (change, reader) {
        case (.changed(let revision), .client):
            "id: \(id(revision))\nevent: message\ndata: {\"type\":\"refetchEvaluation\"}\n\n"
        case (.changed(let revision), .page):
            "id: \(id(revision))\nevent: message\ndata: {\"type\":\"changed\",\"revision\":\(revision)}\n\n"
        case (.clients, .page): "event: message\ndata: {\"type\":\"clients\"}\n\n"
        case (.clients, .client): nil
        }
    }
}
#endif
