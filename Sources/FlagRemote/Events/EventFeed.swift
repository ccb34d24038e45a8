import FlagModel

/// A stream of events that reconnects whenever it breaks off, until it is cancelled.
///
/// The first wait is a second, each further one is doubled, plus or minus half, and at most a minute; a service may
/// name a longer one with `retry:` or `Retry-After`. After a connection that lasted a minute the waits start again at a
/// second, as in vendors' SDKs: a connection that brings an event and ends, each time, is no better than one that
/// brings nothing.
public struct EventFeed: Sendable {
    /// What happened to the connection.
    public enum News: Sendable, Hashable {
        /// It is open. Earlier changes are not reported, so fetch.
        case opened
        /// The service has sent an event.
        case event(ServerSentEvent)
        /// It broke off or failed; it is retried after that time, or never if `nil`.
        case lost(SourceError, retryIn: Duration?)
    }

    private let client: SourceClient
    private let request: SourceRequest

    private static let firstWait = Duration.seconds(1)
    package static let longestWait = Duration.seconds(60)

    /// A feed of a request whose response is an event stream.
    public init(_ client: SourceClient, _ request: SourceRequest) {
        self.client = client
        self.request = request
    }

    /// Runs until the task is cancelled, `take` returns `false`, or the service responds with status 204, after which
    /// the HTML standard (section 9.2.2) forbids to reconnect.
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

    /// Reads one connection; returns why it ended, or `nil` if `take` returned `false`.
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
            // A `retry:` that is the last thing before the connection closes counts as well.
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

    /// Whether a connection that lasted so many seconds was a good one.
    private static func isLong(_ life: Int64) -> Bool { .seconds(life) >= longestWait }

    /// Whether an id is valid in a header. With an invalid one, no connection would ever succeed again.
    private static func canBeSent(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= longestID && id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// In bytes; servers accept 8 KiB of headers in total, and some less.
    private static let longestID = 1_024

    /// The waits after connections in a row that brought nothing.
    package static let backoff = waits(from: firstWait)

    private static func waits(from first: Duration) -> Backoff {
        Backoff(first: first, longest: max(first, longestWait))
    }

    private func wait(after error: SourceError, _ failures: Int, _ asked: Duration?) -> Duration {
        if error.code == .refused, error.retryAfter == nil { return PollSchedule.waitAfterRefusal }
        // A service that names no pause, or one that is over, would be requested endlessly.
        let first = max(asked ?? .zero, Self.firstWait)
        let chance = client.clock.chance()
        guard let named = error.retryAfter, named > .zero else {
            return Self.waits(from: first).wait(afterFailures: failures, chance: chance)
        }
        return max(named, Self.backoff.wait(afterFailures: 1, chance: chance))
    }
}
