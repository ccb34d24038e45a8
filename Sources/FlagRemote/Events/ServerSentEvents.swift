/// The events of one connection, in order. The connection is closed when this is released.
public struct ServerSentEvents {
    var chunks: ByteChunks.AsyncIterator
    /// The source's name in errors.
    let source: String
    /// The maximum size of an event, in bytes; a longer event is an error.
    let sizeLimit: Int
    var parser = EventStreamParser()
    var ready: ArraySlice<ServerSentEvent> = []

    /// The wait before reconnecting that the service requested most recently, in an event or between events; `nil` if it
    /// requested none.
    public var retry: Duration? { parser.retry }

    /// The next event; `nil` if the service has closed the connection.
    public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(SourceError) -> ServerSentEvent? {
        while true {
            if let event = ready.popFirst() { return event }
            guard let chunk = try await chunks.next(isolation: actor) else { return nil }
            ready = parser.parse(chunk)[...]
            guard parser.pendingCount <= sizeLimit else {
                throw SourceError(.tooLarge, of: source, "an event has more than \(sizeLimit) bytes, the limit")
            }
        }
    }
}
