/// How a source sends requests: a transport with limits, retries and a clock.
public struct SourceClient: Sendable {
    /// Sends the requests.
    public var transport: any SourceTransport
    /// Limits on the time and size of an exchange.
    public var limits: SourceLimits
    /// The limits for event streams.
    public var streamLimits: SourceLimits
    /// Whether a failed request is retried.
    public var retry: RetryPolicy
    /// Time and randomness.
    public var clock: SourceClock
    /// Called with the progress of a response.
    public var progress: @Sendable (SourceProgress) -> Void = { _ in }

    /// A client; the defaults are right for an app.
    public init(
        transport: any SourceTransport, limits: SourceLimits = .fetch, streamLimits: SourceLimits = .stream,
        retry: RetryPolicy = .standard, clock: SourceClock = .system
    ) {
        self.transport = transport
        self.limits = limits
        self.streamLimits = streamLimits
        self.retry = retry
        self.clock = clock
    }

    /// The same client, reporting progress to a handler.
    public func reporting(to progress: @escaping ProgressHandler) -> SourceClient {
        var client = self
        client.progress = progress
        return client
    }

    /// The same client without retries.
    package var withoutRetries: SourceClient {
        var client = self
        client.retry = .none
        return client
    }

    /// Sends a request, and retries it as ``retry`` allows.
    ///
    /// - Parameter detail: returns the service's explanation in an error response.
    /// - Returns: a response with a status of 2xx, or 304.
    /// - Throws: the last failure, with its ``SourceError/status`` if the service responded.
    public func send(
        _ request: SourceRequest, detail: (SourceResponse) -> String? = { _ in nil }
    ) async throws(SourceError) -> SourceResponse {
        var attempt = 1
        while true {
            let failure: SourceError
            do throws(SourceError) {
                return try await perform(request, detail)
            } catch {
                failure = error
            }
            if Task.isCancelled { throw .cancelled(request.source) }
            guard let wait = retry.wait(after: failure, attempt: attempt, random: clock.random()) else { throw failure }
            attempt += 1
            progress(.retrying(attempt: attempt, after: wait))
            guard (try? await clock.sleep(wait)) != nil else { throw .cancelled(request.source) }
        }
    }

    private func perform(
        _ request: SourceRequest, _ detail: (SourceResponse) -> String?
    ) async throws(SourceError) -> SourceResponse {
        let response = try await transport.send(request, limits: limits, progress: progress)
        // A successful response has no explanation, and may be too long to be masked quickly.
        if 200...299 ~= response.status || response.status == 304 { return response }
        let serviceMessage = detail(request.masking(response)).map { request.masking($0) }
        let statusError = SourceError(
            response, of: request.source, now: clock.now(), detail: serviceMessage, isPublishing: request.isPublishing)
        if let statusError { throw statusError }
        return response
    }

    /// Opens a response that arrives in pieces, which are read at a limited rate.
    package func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        var stream = try await transport.open(request, limits: limits)
        stream.chunks.clock = clock
        return stream
    }

    /// Opens a stream of server-sent events.
    ///
    /// - Throws: why the stream cannot be opened. This method does not retry; ``EventFeed`` does.
    public func events(_ request: SourceRequest) async throws(SourceError) -> ServerSentEvents {
        var request = request
        request.headers["Accept"] = "text/event-stream"
        request.headers["Cache-Control"] = "no-store"
        let stream = try await open(request, limits: streamLimits)
        let head = SourceResponse(status: stream.status, headers: stream.headers)
        if let failure = SourceError(head, of: request.source, now: clock.now()) { throw failure }
        guard head.status != 204 else {
            var failure = SourceError(
                .rejected, of: request.source, "the service offers no live updates (HTTP status 204); not retried")
            failure.status = head.status
            throw failure
        }
        guard let type = head.headers["Content-Type"], type.lowercased().hasPrefix("text/event-stream") else {
            throw SourceError(
                .malformed, of: request.source,
                "the address for live updates is not an event stream; check its settings")
        }
        return ServerSentEvents(
            chunks: stream.chunks.makeAsyncIterator(), source: request.source, sizeLimit: streamLimits.bodySize)
    }
}
