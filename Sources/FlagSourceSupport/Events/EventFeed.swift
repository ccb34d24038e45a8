/// A stream of events that is opened again whenever it breaks off, for as long as somebody listens.
///
/// The first wait is a second, each further one twice as long up to a minute, give or take half; a service may name
/// a longer one with `retry:` or `Retry-After`. A connection that has brought an event begins anew with a second.
public struct EventFeed: Sendable {
    /// What happens to the connection.
    public enum News: Sendable, Hashable {
        /// It stands. What has changed before is not told, so ask.
        case opened
        /// The service has sent an event.
        case event(ServerSentEvent)
        /// It broke off or could not be made; it is tried again after that time.
        case lost(SourceError, retryIn: Duration)
    }

    private let client: SourceClient
    private let request: SourceRequest

    static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(60)

    /// A feed of a request that answers with events.
    public init(_ client: SourceClient, _ request: SourceRequest) {
        self.client = client
        self.request = request
    }

    /// Listens until the task is cancelled, or `take` answers `false`.
    public func run(_ take: @Sendable (News) async -> Bool) async {
        var lastID = ""
        var asked: Duration?
        var failures = 0
        while !Task.isCancelled {
            let end = await listen(&lastID, &asked, &failures, take)
            guard let end, !Task.isCancelled else { return }
            failures += 1
            let wait = wait(after: end, failures, asked)
            guard await take(.lost(end, retryIn: wait)) else { return }
            guard (try? await client.clock.sleep(wait)) != nil else { return }
        }
    }

    /// Listens to one connection; returns why it ended, or `nil` when nobody listens any more.
    private func listen(
        _ lastID: inout String, _ asked: inout Duration?, _ failures: inout Int, _ take: (News) async -> Bool
    ) async -> SourceError? {
        var request = request
        if !lastID.isEmpty { request.headers["Last-Event-ID"] = lastID }
        do throws(SourceError) {
            let events = try await client.events(request)
            guard await take(.opened) else { return nil }
            var iterator = events.makeAsyncIterator()
            // A service that says nothing else before it closes the connection is obeyed as well.
            defer { asked = iterator.retry ?? asked }
            while let event = try await iterator.next() {
                failures = 0
                lastID = event.id
                guard await take(.event(event)) else { return nil }
            }
            return SourceError(
                code: .unreachable, path: request.source,
                sentence: "the service has closed the stream of events; it is opened again")
        } catch {
            return error
        }
    }

    private func wait(after error: SourceError, _ failures: Int, _ asked: Duration?) -> Duration {
        if error.code == .refused, error.retryAfter == nil { return PollSchedule.waitAfterRefusal }
        // A service that wants no pause, or one that is over, would be asked without end.
        let first = max(asked ?? .zero, Self.firstWait)
        let doubled = min(max(first, Self.longestWait), first * (1 << min(failures - 1, 20)))
        guard let named = error.retryAfter, named > .zero else { return doubled * (0.5 + client.clock.chance()) }
        return max(named, Self.firstWait * (0.5 + client.clock.chance()))
    }
}
