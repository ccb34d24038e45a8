import FlagModel

/// A stream of server-sent events that reconnects whenever the connection breaks off, until the task is cancelled.
///
/// The wait before reconnecting begins at a second and doubles each time, plus or minus half, up to a minute. A service
/// may request a longer wait with `retry:` or `Retry-After`. After a connection that lasted a minute, the waits begin
/// at a second again, as in vendors' SDKs. An event alone does not reset the waits, as the service may close each
/// connection after one event.
public struct EventFeed: Sendable {
    /// What happened to the connection.
    public enum Update: Sendable, Hashable {
        /// The connection is open. Earlier changes are not reported, so fetch now.
        case opened
        /// The service has sent an event.
        case event(ServerSentEvent)
        /// The connection broke off or failed. It is retried after `retryIn`; `nil` if it is never retried.
        case lost(SourceError, retryIn: Duration?)
    }

    private let client: SourceClient
    private let request: SourceRequest

    private static let firstWait = Duration.seconds(1)
    package static let longestWait = Duration.seconds(60)

    /// A feed of a request whose response is an event stream.
    public init(_ client: SourceClient, _ request: SourceRequest) {
        (self.client, self.request) = (client, request)
    }

    /// Connects, and calls `handle` with each update, until the task is cancelled, `handle` returns `false`, or the
    /// service responds with status 204, after which the HTML standard (section 9.2.2) forbids to reconnect.
    public func run(_ handle: @Sendable (Update) async -> Bool) async {
        var lastID = ""
        var retryTime: Duration?
        var failures = 0
        while !Task.isCancelled {
            let end = await listen(&lastID, &retryTime, &failures, handle)
            guard let end, !Task.isCancelled else { return }
            failures += 1
            let wait = end.status == 204 ? nil : wait(after: end, failures, retryTime)
            guard await handle(.lost(end, retryIn: wait)), let wait else { return }
            guard (try? await client.clock.sleep(wait)) != nil else { return }
        }
    }

    /// Reads one connection; returns why it ended, or `nil` if `handle` returned `false`.
    private func listen(
        _ lastID: inout String, _ retryTime: inout Duration?, _ failures: inout Int, _ handle: (Update) async -> Bool
    ) async -> SourceError? {
        var request = request
        // With an id that is not valid in a header, no connection would ever succeed again.
        if 1...Self.longestID ~= lastID.utf8.count, lastID.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
            request.headers["Last-Event-ID"] = lastID
        }
        do throws(SourceError) {
            var events = try await client.events(request)
            let start = client.clock.now()
            defer {
                // A connection that lasted so long resets the waits.
                if .seconds(client.clock.now().seconds - start.seconds) >= Self.longestWait { failures = 0 }
            }
            guard await handle(.opened) else { return nil }
            // A `retry:` just before the connection closes, without a further event, counts as well.
            defer { retryTime = events.retry ?? retryTime }
            while let event = try await events.next() {
                lastID = event.id
                guard await handle(.event(event)) else { return nil }
            }
            return SourceError(.unreachable, of: request.source, "the service closed the event stream; reconnecting")
        } catch {
            return error
        }
    }

    /// The maximum length of an event id, in bytes. Servers accept 8 KiB of headers in total, and some servers less.
    private static let longestID = 1_024

    /// The waits after consecutive connections that did not last ``longestWait``.
    package static let backoff = Backoff(first: firstWait, longest: longestWait)

    private func wait(after error: SourceError, _ failures: Int, _ retryTime: Duration?) -> Duration {
        if error.code == .refused, error.retryAfter == nil { return PollSchedule.waitAfterRejection }
        // Without a minimum wait, a service that requests a wait of zero would be requested endlessly.
        let first = max(retryTime ?? .zero, Self.firstWait)
        let random = client.clock.random()
        guard let requestedWait = error.retryAfter, requestedWait > .zero else {
            return Backoff(first: first, longest: max(first, Self.longestWait))
                .wait(afterFailures: failures, random: random)
        }
        return max(requestedWait, Self.backoff.wait(afterFailures: 1, random: random))
    }
}
