import FlagModel

/// A stream of events that is opened again whenever it breaks off, for as long as somebody listens.
///
/// The first wait is a second, each further one twice as long, give or take half, and at most a minute; a service may name
/// a longer one with `retry:` or `Retry-After`. After a connection that has stood for a minute it begins anew with a second, as
/// in SDKs of vendors: one that brings an event and ends, each time, is no better than one that brings nothing.
public struct EventFeed: Sendable {
    /// What happens to the connection.
    public enum News: Sendable, Hashable {
        /// It stands. What has changed before is not told, so ask.
        case opened
        /// The service has sent an event.
        case event(ServerSentEvent)
        /// It broke off or could not be made; it is tried again after that time, or never where there is none.
        case lost(SourceError, retryIn: Duration?)
    }

    private let client: SourceClient
    private let request: SourceRequest

    private static let firstWait = Duration.seconds(1)
    package static let longestWait = Duration.seconds(60)

    /// A feed of a request that answers with events.
    public init(_ client: SourceClient, _ request: SourceRequest) {
        self.client = client
        self.request = request
    }

    /// Listens until the task is cancelled, `take` answers `false`, or the service says that nobody is to listen: with the status
    /// 204, after which the HTML standard (section 9.2.2) has no other connection made.
    public func run(_ take: @Sendable (News) async -> Bool) async {
        var lastID = ""
        var asked: Duration?
        var failures = 0
        while !Task.isCancelled {
            let end = await listen(&lastID, &asked, &failures, take)
            guard let end, !Task.isCancelled else { return }
            failures += 1
            let wait = end.status == 204 ? nil : wait(after: end, failures, asked)
            guard await take(.lost(end, retryIn: wait)), let wait else { return }
            guard (try? await client.clock.sleep(wait)) != nil else { return }
        }
    }

    /// Listens to one connection; returns why it ended, or `nil` when nobody listens any more.
    private func listen(
        _ lastID: inout String, _ asked: inout Duration?, _ failures: inout Int, _ take: (News) async -> Bool
    ) async -> SourceError? {
        var request = request
        if Self.canBeSent(lastID) { request.headers["Last-Event-ID"] = lastID }
        do throws(SourceError) {
            let events = try await client.events(request)
            let start = client.clock.now()
            defer { if Self.isLong(client.clock.now().seconds - start.seconds) { failures = 0 } }
            guard await take(.opened) else { return nil }
            var iterator = events.makeAsyncIterator()
            // A service that says nothing else before it closes the connection is obeyed as well.
            defer { asked = iterator.retry ?? asked }
            while let event = try await iterator.next() {
                lastID = event.id
                guard await take(.event(event)) else { return nil }
            }
            return SourceError(
                code: .unreachable, path: request.source,
                sentence: "the service closed the event stream; reconnecting")
        } catch {
            return error
        }
    }

    /// Whether a connection that has stood for so many seconds was a good one.
    private static func isLong(_ life: Int64) -> Bool { .seconds(life) >= longestWait }

    /// Whether an id can stand in a header. With one that cannot, no connection would ever come about again.
    private static func canBeSent(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= longestID && id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// In bytes; servers take 8 KiB of headers, all together, and fewer.
    private static let longestID = 1_024

    /// The waits after connections in a row that brought nothing.
    package static let backoff = waits(from: firstWait)

    private static func waits(from first: Duration) -> Backoff {
        Backoff(first: first, longest: max(first, longestWait))
    }

    private func wait(after error: SourceError, _ failures: Int, _ asked: Duration?) -> Duration {
        if error.code == .refused, error.retryAfter == nil { return PollSchedule.waitAfterRefusal }
        // A service that wants no pause, or one that is over, would be asked without end.
        let first = max(asked ?? .zero, Self.firstWait)
        let chance = client.clock.chance()
        guard let named = error.retryAfter, named > .zero else {
            return Self.waits(from: first).wait(afterFailures: failures, chance: chance)
        }
        return max(named, Self.backoff.wait(afterFailures: 1, chance: chance))
    }
}
