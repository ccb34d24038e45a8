public import FlagModel
public import FlagRemote
import Synchronization

/// Flags from any server that speaks OFREP, the remote evaluation protocol of OpenFeature: flagd, GO Feature Flag,
/// Flipt, the ConfigCat Proxy and others.
///
/// ```swift
/// var settings = try OFREPSettings(baseURL: "https://flags.example.com")
/// settings.bearerToken = Secret(token)
/// settings.context = EvaluationContext(targetingKey: user.id)
/// let flags = FlagStore(app: "shop", sources: [OFREPSource(settings, client: client)])
/// ```
public final class OFREPSource: RemoteSource {
    let settings: OFREPSettings
    let client: SourceClient
    let state = Mutex(OFREPState())

    /// A source that has sent no request yet.
    public init(_ settings: OFREPSettings, client: SourceClient) {
        self.settings = settings
        var client = client
        if let timeout = settings.timeout {
            // Only the timeout should end a request, so the idle timeout must be longer.
            client.limits.total = min(client.limits.total, timeout)
            client.limits.idleTimeout = max(client.limits.idleTimeout, client.limits.total * 2)
        }
        self.client = client
    }

    /// The URL, and short hashes of the environment and of the evaluation context, which may be personal.
    public var identity: SourceIdentity {
        SourceIdentity(
            "ofrep", settings.baseURL, context: "\(settings.context.json)\n\(settings.keyPrefix)",
            environment: settings.environmentMark)
    }

    /// The scheme, and the server's host and port.
    public var name: String { settings.name }

    /// How often the server is polled; `nil` for never.
    public var pollInterval: Duration? { settings.changeDetection == .none ? nil : settings.pollInterval }

    /// Requests all flags. The URLs of streams are never cached. If a subscription needs them, such as at the start of
    /// a run, the request names no version, so that the response is complete.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        let (refetchEvent, needsStreams) = state.withLock { state in
            defer { state.refetchEvent = nil }
            return (state.refetchEvent, state.needsStreams)
        }
        let version = needsStreams ? nil : version
        let response: SourceResponse
        do throws(SourceError) {
            response = try await client.reporting(to: progress).send(
                settings.request(since: version, after: refetchEvent), detail: OFREPSettings.detail)
        } catch {
            // There may be a newer event.
            state.withLock { $0.refetchEvent = $0.refetchEvent ?? refetchEvent }
            throw error
        }
        let result = try FetchResult(response, since: version, of: name)
        // If a 304 has no `Cache-Control`, the `Cache-Control` of the cached response stays valid (RFC 9111, section
        // 4.3.4).
        if response.status != 304 || response.headers["Cache-Control"] != nil {
            state.withLock { $0.cacheAge = response.headers.cacheAge }
        }
        guard case .values(let sentBody, let version) = result else { return result }
        // A server may quote the request in the details of an error. These details are cached, so credentials are
        // masked.
        let body = settings.request().masking(SourceResponse(status: 200, body: sentBody)).body
        let parsed = try SourceError.reading(name, value: try OFREPResponse(parsing: body, base: settings.baseURL))
        state.withLock { $0.streams = Set(parsed.streams) }
        return .values(parsed.bytes, version: version)
    }

    /// Decodes a response. Its catalog is the value of the flag with the reserved name, if there is one.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try OFREPFlags.document(bytes, keyPrefix: settings.keyPrefix, warnings: settings.headerWarnings) {
            settings.request().masking($0)
        }
    }

    /// Subscribes to the streams that the server offers in its responses. If there is no response yet, the first event
    /// leads to a fetch.
    public func changes() -> AsyncStream<LiveUpdateEvent>? {
        guard settings.changeDetection == .events else { return nil }
        let (changes, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let needsResponse = state.withLock { state in
            state.listener = listener
            return state.needsStreams
        }
        return .reported { updates in
            // Only a complete response names the streams.
            if needsResponse { updates.yield(.changed) }
            await OFREPSubscription(to: self, updates).run(changes)
        }
    }
}

/// The state of a source in a run: the server's streams, and the subscription that waits for them.
struct OFREPState {
    /// The streams of the newest response; `nil` before the first.
    var streams: Set<EventStreamAddress>? {
        didSet { if streams != oldValue { listener?.yield() } }
    }
    /// How long the newest response may be cached, from its `Cache-Control`; `nil` if that is not specified.
    var cacheAge: Duration?
    /// The event to send with the next request; `nil` if there is none.
    var refetchEvent: RefetchEvent?
    /// Notifies the newest subscription of changed streams; `nil` before the first one.
    var listener: AsyncStream<Void>.Continuation? {
        didSet { if streams != nil { listener?.yield() } }
    }

    /// Whether a subscription waits for streams that no response has named yet.
    var needsStreams: Bool { streams == nil && listener != nil }
}

/// An event that requests to fetch the flags again.
struct RefetchEvent {
    /// The ETag of the newest flags; `nil` if the event has none.
    var etag: String?
    /// When the flags changed, in the server's format: seconds since 1970, or ISO 8601; `nil` if the event has none.
    var lastModified: String?
}

extension OFREPSettings {
    /// The source's name in messages, with the server's host.
    var name: String { "ofrep:\(baseURL.authority)" }

    /// The request for all flags (protocol 0.3.0, `POST /ofrep/v1/evaluate/flags`).
    ///
    /// - Parameters:
    ///   - version: the ETag of the known flags; `nil` for a complete response.
    ///   - refetchEvent: the event that led to this request; `nil` if none did.
    func request(since version: String? = nil, after refetchEvent: RefetchEvent? = nil) -> SourceRequest {
        var url = baseURL.adding(path: "/ofrep/v1/evaluate/flags")
        if let etag = refetchEvent?.etag { url = url.adding(query: "flagConfigEtag", etag) }
        if let moment = refetchEvent?.lastModified { url = url.adding(query: "flagConfigLastModified", moment) }
        return SourceRequest(
            json: name, url: url, headers: credentials, body: .object([("context", .raw(context.json))]), since: version
        )
    }

    /// The request for an event stream. Credentials are sent only if the stream has the origin of the server.
    public func request(for stream: EventStreamAddress) -> SourceRequest {
        let hasSameOrigin = stream.url.origin == baseURL.origin
        return SourceRequest(source: name, url: stream.url, headers: hasSameOrigin ? credentials : SourceHeaders())
    }

    private var credentials: SourceHeaders {
        var result = headers
        if let bearerToken { result.set("Authorization", secret: bearerToken, prefix: "Bearer ") }
        if let apiKey { result.set("X-API-Key", secret: apiKey) }
        return result
    }

    /// The explanation in an error response, from `errorCode` and `errorDetails`.
    static func detail(_ response: SourceResponse) -> String? {
        guard let root = (try? JSONDocument(parsing: response.body))?.root else { return nil }
        let parts = [root["errorCode"], root["errorDetails"]].compactMap { $0?.text?.string }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
