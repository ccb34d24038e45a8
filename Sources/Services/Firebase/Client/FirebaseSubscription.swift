import FlagModel
import FlagRemote

/// Subscribes to realtime updates, fetches the changes they report, and signals them.
struct FirebaseSubscription: Sendable {
    /// How a connection ended.
    private enum End {
        /// The service closed the connection, or it broke off: reconnect.
        case closed(SourceError)
        /// The connection failed: reconnect a few times.
        case failed(SourceError)
        /// Do not reconnect.
        case over(SourceError)
        /// The task was cancelled.
        case abandoned
    }

    /// The number of failed connections in a row after which no more are attempted, as in the SDK for iOS.
    private static let attempts = 7
    /// How many times reported values are requested while the service does not have them yet.
    private static let fetchAttempts = 3
    /// The statuses after which a connection is retried: those of the SDK for iOS, and 408 from the SDK for the web.
    private static let transientStatuses = [408, 429, 502, 503, 504]

    /// The course of the connections so far, which determines the wait before the next one.
    private struct ConnectionHistory {
        /// How many connections in a row failed.
        var failures = 0
        /// How many connections in a row were closed before they had lasted ``EventFeed/longestWait``.
        var closings = 0
        /// The wait after the current connection that the service requested, in seconds; 0 if it requested none.
        var requestedWait: Int64 = 0
    }

    let source: FirebaseClientSource
    let updates: AsyncStream<LiveUpdateEvent>.Continuation
    /// The time limit for the body of an error response. The body is optional.
    var timeout = Duration.seconds(3)

    private var client: SourceClient { source.client }

    /// Runs until the task is cancelled, the service disables updates, or no connection succeeds.
    func run() async {
        var history = ConnectionHistory()
        while !Task.isCancelled {
            history.requestedWait = 0
            let error: SourceError
            switch await listen(&history) {
            case .abandoned: return
            case .over(let reason):
                updates.yield(.disconnected(reason))
                return
            case .closed(let reason):
                history.closings += 1
                error = reason
            case .failed(let reason):
                history.failures += 1
                guard history.failures < Self.attempts else {
                    updates.yield(.disconnected(Self.exhaustedError(reason)))
                    return
                }
                error = reason
            }
            updates.yield(.disconnected(error))
            guard (try? await client.clock.sleep(wait(history, error))) != nil else { return }
        }
    }

    /// The wait before the next connection: the backoff of the SDK, but at least the wait that the service requested.
    private func wait(_ history: ConnectionHistory, _ error: SourceError) -> Duration {
        max(wait(history), .seconds(history.requestedWait), error.retryAfter ?? .zero)
    }

    private func wait(_ history: ConnectionHistory) -> Duration {
        let random = client.clock.random()
        guard history.failures == 0 else {
            return FirebaseMemory.wait(afterFailures: history.failures, random: random)
        }
        return EventFeed.backoff.wait(afterFailures: history.closings, random: random)
    }

    private static func exhaustedError(_ error: SourceError) -> SourceError {
        SourceError(
            code: error.code, path: error.path,
            sentence: "\(error.sentence); live updates failed \(attempts) times and are not retried")
    }

    /// Opens a connection and reads it to its end.
    private func listen(_ history: inout ConnectionHistory) async -> End {
        let streamRequest: SourceRequest
        let stream: SourceStream
        do throws(SourceError) {
            let installation = try await source.installations.installation(client)
            var limits = client.streamLimits
            limits.idleTimeout = max(limits.idleTimeout, FirebaseClientSettings.realtimeIdleTimeout)
            streamRequest = source.settings.realtimeRequest(installation, source.memory.known)
            stream = try await client.open(streamRequest, limits: limits)
            if let failure = await failure(stream, of: streamRequest) {
                guard failure.status == 401, source.installations.recordRejection(of: installation) else {
                    return Self.end(failure)
                }
                // The token is from an earlier run, so retry with a new one.
                return await listen(&history)
            }
        } catch {
            guard !Task.isCancelled else { return .abandoned }
            // A retry does not help if the response is malformed rather than a stream of updates.
            return error.isTransient && error.code != .malformed ? .failed(error) : .over(error)
        }
        // A proxy in front of the service may respond with an HTML page.
        guard stream.headers["Content-Type"]?.lowercased().contains("json") != false else {
            return .closed(
                error(
                    .malformed, "live updates from Firebase are malformed; check the network and any proxy"
                ))
        }
        history.failures = 0
        updates.yield(.connected)
        let start = client.clock.now()
        let end = await read(stream, of: streamRequest, &history)
        let duration = Duration.seconds(client.clock.now().seconds - start.seconds)
        if duration >= EventFeed.longestWait { history.closings = 0 }
        return end
    }

    private func read(_ stream: SourceStream, of streamRequest: SourceRequest, _ history: inout ConnectionHistory) async
        -> End
    {
        var messages = RealtimeMessages()
        var chunks = stream.chunks.makeAsyncIterator()
        do throws(SourceError) {
            while let chunk = try await chunks.next() {
                for object in messages.parse(chunk) {
                    guard let object else {
                        return .closed(error(.malformed, "Firebase sent an update that is not JSON"))
                    }
                    if let end = await handle(object, of: streamRequest, &history.requestedWait) { return end }
                }
                guard messages.pendingCount <= RealtimeMessages.sizeLimit else {
                    return .closed(error(.tooLarge, "Firebase sent an update that is too large"))
                }
            }
        } catch {
            return Task.isCancelled ? .abandoned : .closed(error)
        }
        return Task.isCancelled
            ? .abandoned
            : .closed(error(.unreachable, "Firebase closed the connection for live updates; reconnecting"))
    }

    /// Handles a message. Returns how the message ends the connection; `nil` if the connection continues.
    private func handle(
        _ object: JSONValue, of streamRequest: SourceRequest, _ requestedWait: inout Int64
    ) async -> End? {
        if let rejection = object["error"], rejection.kind == .object {
            return end(rejection, in: object, of: streamRequest)
        }
        let message = RealtimeMessage(object)
        if message.isDisabled {
            return .over(
                error(.rejected, "Firebase has disabled live updates for this project; polling continues"))
        }
        if let seconds = message.retryInterval {
            requestedWait = min(max(requestedWait, seconds), RetryAfter.longest.components.seconds)
        }
        if let version = message.templateVersion, version > source.memory.known.templateVersion {
            await fetch(version)
        }
        return Task.isCancelled ? .abandoned : nil
    }

    /// How a connection ends after an error message. 403 means that the API is not enabled.
    private func end(_ rejection: JSONValue, in object: JSONValue, of streamRequest: SourceRequest) -> End {
        let status = rejection["code"]?.flagText.flatMap { Int($0.string) }
        let masked = streamRequest.masking(SourceResponse(status: status ?? 0, body: Array(object.source.utf8)))
        let detail = FirebaseServiceError.detail(masked).map { streamRequest.masking($0) }
        let serviceMessage = detail.map { " (\(JSONOutput.quoted($0, limit: 200)))" } ?? ""
        switch status {
        case 403?:
            return .over(
                error(
                    .refused,
                    "Firebase rejected live updates for this app\(serviceMessage); enable the Firebase Remote Config Realtime "
                        + "API in the Google Cloud console"))
        case (400...599)?: return Self.end(failure(masked, detail))
        default:
            return .failed(error(.faulty, "Firebase ended live updates with an error\(serviceMessage); retry later"))
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
            if let rateLimit = source.memory.rateLimit(at: client.clock.now()) { return report(.failure(rateLimit)) }
            do throws(SourceError) {
                let fetched = try await source.fetchValues(
                    since: source.memory.known.etag, .realtime(attempt: attempt))
                // Values between the known ones and the reported ones are used too.
                if fetched.result != .unchanged { report(.success(fetched.result)) }
                if source.memory.known.templateVersion >= version { return }
            } catch {
                guard error.code != .cancelled else { return }
                let isLast = attempt == Self.fetchAttempts || error.retryAfter != nil || !error.isTransient
                if isLast { return report(.failure(error)) }
            }
        }
        source.memory.recordMissing(templateVersion: version)
    }

    /// Signals an update or an error, which the next fetch returns.
    private func report(_ fetched: Result<FetchResult, SourceError>) {
        source.memory.store(fetched)
        updates.yield(.changed)
    }

    private func error(_ code: SourceError.Code, _ sentence: String) -> SourceError {
        SourceError(code: code, path: source.name, sentence: sentence)
    }

    /// Why a response is not a stream, with the service's explanation; `nil` for the status 200, as in the SDKs.
    private func failure(_ stream: SourceStream, of request: SourceRequest) async -> SourceError? {
        var head = SourceResponse(status: stream.status, headers: stream.headers)
        guard head.status != 200 else { return nil }
        head.body = await errorBody(stream.chunks)
        return failure(head, FirebaseServiceError.detail(request.masking(head)).map { request.masking($0) })
    }

    private func failure(_ response: SourceResponse, _ detail: String?) -> SourceError {
        var failure =
            SourceError(response, of: source.name, now: client.clock.now(), detail: detail)
            ?? error(
                .malformed,
                "Firebase offers no live updates (HTTP status \(response.status)); not retried"
            )
        failure.status = response.status
        return failure
    }

    /// The part of an error response's body that arrives within ``timeout``. The stream's idle timeout would be much
    /// longer.
    private func errorBody(_ chunks: ByteChunks) async -> [UInt8] {
        let reading = Task {
            var (body, pieces) = ([UInt8](), chunks.makeAsyncIterator())
            while body.count < RealtimeMessages.sizeLimit, let piece = try? await pieces.next() { body += piece }
            return body
        }
        _ = await reading.value(within: timeout)
        reading.cancel()
        return await reading.value
    }

    /// How a connection ends after an error response.
    private static func end(_ rejection: SourceError) -> End {
        rejection.status.map { transientStatuses.contains($0) } == true ? .failed(rejection) : .over(rejection)
    }
}
