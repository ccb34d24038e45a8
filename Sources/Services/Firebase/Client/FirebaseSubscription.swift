import FlagModel
import FlagRemote

/// Subscribes to realtime updates, fetches the changes they report, and signals them.
struct FirebaseSubscription: Sendable {
    /// How a connection ended.
    private enum Kind {
        /// The service closed the connection, or it broke off: reconnect.
        case closed
        /// The connection failed: reconnect a few times.
        case failed
        /// Do not reconnect.
        case over
    }

    private typealias End = (kind: Kind, error: SourceError)

    /// The number of failed connections in a row after which no more are attempted, as in the SDK for iOS.
    private static let attempts = 7
    /// How many times reported values are requested while the service does not have them yet.
    private static let fetchAttempts = 3
    /// The statuses after which a connection is retried: those of the SDK for iOS, and 408 from the SDK for the web.
    private static let transientStatuses = [408, 429, 502, 503, 504]
    /// How long the service may be silent: 330 seconds, the lifetime of a connection in the SDK.
    private static let idleTimeout = Duration.seconds(330)
    /// The maximum size of a message and of the body of an error response, in bytes.
    private static let sizeLimit = 64 << 10

    let source: FirebaseClientSource
    let updates: AsyncStream<LiveUpdateEvent>.Continuation
    /// The time limit for the body of an error response. The body is optional.
    var timeout = Duration.seconds(3)

    /// How many connections in a row failed.
    private(set) var failures = 0
    /// How many connections in a row were closed before they had lasted ``EventFeed/longestWait``.
    private(set) var closings = 0
    /// The wait after the current connection that the service requested.
    private(set) var requestedWait = Duration.zero

    private var client: SourceClient { source.client }

    /// Runs until the task is cancelled, the service disables updates, or no connection succeeds.
    mutating func run() async {
        while !Task.isCancelled {
            requestedWait = .zero
            var (kind, error) = await listen()
            guard !Task.isCancelled else { return }
            if kind == .closed { closings += 1 }
            if kind == .failed { failures += 1 }
            if failures == Self.attempts {
                kind = .over
                error.sentence += "; live updates failed \(failures) times and are not retried"
            }
            updates.yield(.disconnected(error))
            guard kind != .over, (try? await client.clock.sleep(wait(after: error))) != nil else { return }
        }
    }

    /// The wait before the next connection: the backoff of the SDK, but at least the wait that the service requested.
    private func wait(after error: SourceError) -> Duration {
        let random = client.clock.random()
        let backoff =
            failures == 0
            ? EventFeed.backoff.wait(afterFailures: closings, random: random)
            : FirebaseClientSource.wait(afterFailures: failures, random: random)
        return max(backoff, requestedWait, error.retryAfter ?? .zero)
    }

    /// Opens a connection and reads it to its end.
    private mutating func listen() async -> End {
        do throws(SourceError) {
            let installation = try await source.installations.installation(client)
            var limits = client.streamLimits
            limits.idleTimeout = max(limits.idleTimeout, Self.idleTimeout)
            let request = source.settings.realtimeRequest(
                installation, since: await source.etag, version: await source.knownVersion)
            let stream = try await client.open(request, limits: limits)
            if stream.status == 401, await source.installations.recordRejection(of: installation) {
                // The token is from an earlier run, so retry with a new one.
                return await listen()
            }
            // As in the SDKs, no other status is a success.
            guard stream.status == 200 else {
                let body = await errorBody(stream.chunks)
                return end(SourceResponse(status: stream.status, headers: stream.headers, body: body), of: request)
            }
            // A proxy in front of the service may respond with an HTML page.
            guard stream.headers["Content-Type"]?.lowercased().contains("json") != false else {
                let sentence = "live updates from Firebase are malformed; check the network and any proxy"
                return (.closed, self.error(.malformed, sentence))
            }
            return await read(stream, of: request)
        } catch {
            // A retry does not help if the response is malformed rather than a stream of updates.
            return (error.isTransient && error.code != .malformed ? .failed : .over, error)
        }
    }

    private mutating func read(_ stream: SourceStream, of request: SourceRequest) async -> End {
        failures = 0
        updates.yield(.connected)
        let start = client.clock.now()
        defer {
            let duration = Duration.seconds(client.clock.now().seconds - start.seconds)
            if duration >= EventFeed.longestWait { closings = 0 }
        }
        var messages = JSONObjects(stream.chunks, of: source.name, sizeLimit: Self.sizeLimit)
        do throws(SourceError) {
            while let message = try await messages.next() {
                if let end = await handle(message, of: request) { return end }
            }
        } catch {
            return (.closed, error)
        }
        return (.closed, error(.unreachable, "Firebase closed the connection for live updates; reconnecting"))
    }

    /// Handles a message. Returns how the message ends the connection; `nil` if the connection continues.
    private mutating func handle(_ message: JSONValue, of request: SourceRequest) async -> End? {
        if let rejection = message["error"], rejection.kind == .object {
            let code = rejection["code"]?.flagText.flatMap { Int($0.string) } ?? 0
            let status = 400...599 ~= code ? code : 0
            return end(SourceResponse(status: status, body: Array(message.source.utf8)), of: request)
        }
        // As in the SDK for the web; the SDK for iOS checks only that the member is present.
        if message["featureDisabled"]?.bool == true {
            return (.over, error(.rejected, "Firebase has disabled live updates for this project; polling continues"))
        }
        if let seconds = message["retryIntervalSeconds"]?.flagText.flatMap({ Int64($0.string) }) {
            requestedWait = min(max(requestedWait, .seconds(seconds)), RetryAfter.longest)
        }
        if let version = message["latestTemplateVersionNumber"]?.flagText.flatMap({ Int($0.string) }),
            version > (await source.knownVersion)
        {
            await fetch(version)
        }
        return nil
    }

    /// How a connection ends after an error response, or an error message, whose status may be 0. 403 means that the API
    /// is not enabled.
    private func end(_ response: SourceResponse, of request: SourceRequest) -> End {
        let detail = FirebaseServiceError.detail(request.masking(response)).map { request.masking($0) }
        let serviceMessage = detail.map { " (\(JSONOutput.quoted($0, limit: 200)))" } ?? ""
        switch response.status {
        case 403:
            let sentence = "Firebase rejected live updates for this app\(serviceMessage)"
            let remedy = "enable the Firebase Remote Config Realtime API in the Google Cloud console"
            return (.over, error(.refused, "\(sentence); \(remedy)"))
        case 0:
            return (.failed, error(.faulty, "Firebase ended live updates with an error\(serviceMessage); retry later"))
        default:
            var failure =
                SourceError(response, of: source.name, now: client.clock.now(), detail: detail)
                ?? error(.malformed, "Firebase offers no live updates (HTTP status \(response.status)); not retried")
            failure.status = response.status
            return (Self.transientStatuses.contains(response.status) ? .failed : .over, failure)
        }
    }

    /// Fetches the values of a template version that the service has reported. Some servers may not have the template
    /// yet, so the values are requested up to three times. A random delay of up to three seconds before each request
    /// keeps apps from sending requests at the same moment. During a rate limit no request is sent; the engine fetches
    /// when the limit has ended.
    private func fetch(_ version: Int) async {
        for attempt in 1...Self.fetchAttempts {
            let delay = Int(client.clock.random() * 4)
            guard (try? await client.clock.sleep(.seconds(delay))) != nil else { return }
            if let rateLimit = await source.rateLimit { return await report(.failure(rateLimit)) }
            do throws(SourceError) {
                let result = try await source.fetchValues(since: await source.etag, "REALTIME/\(attempt)")
                // Values between the known ones and the reported ones are used too.
                if result != .unchanged { await report(.success(result)) }
                if await source.knownVersion >= version { return }
            } catch {
                guard error.code != .cancelled else { return }
                let isLast = attempt == Self.fetchAttempts || error.retryAfter != nil || !error.isTransient
                if isLast { return await report(.failure(error)) }
            }
        }
        await source.recordMissing(templateVersion: version)
    }

    /// Signals an update or an error, which the next fetch returns.
    private func report(_ fetched: Result<FetchResult, SourceError>) async {
        await source.store(fetched)
        updates.yield(.changed)
    }

    private func error(_ code: SourceError.Code, _ sentence: String) -> SourceError {
        SourceError(code, of: source.name, sentence)
    }

    /// The part of an error response's body that arrives within ``timeout``. The stream's idle timeout would be much
    /// longer.
    private func errorBody(_ chunks: ByteChunks) async -> [UInt8] {
        let reading = Task {
            var (body, pieces) = ([UInt8](), chunks.makeAsyncIterator())
            while body.count < Self.sizeLimit, let piece = try? await pieces.next() { body += piece }
            return body
        }
        _ = await reading.value(within: timeout)
        reading.cancel()
        return await reading.value
    }
}
