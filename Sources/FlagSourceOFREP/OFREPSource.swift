public import FlagModel
public import FlagRemote
import Synchronization

/// Flags from any server that speaks OFREP, the remote evaluation protocol of OpenFeature: flagd, GO Feature Flag,
/// Flagsmith and others.
///
/// ```swift
/// var settings = try OFREPSettings(baseURL: "https://flags.example.com")
/// settings.bearerToken = Secret(token)
/// settings.context = EvaluationContext(targetingKey: user.id)
/// let flags = FlagStore(app: "shop", sources: [OFREPSource(settings, client: client)])
/// ```
public final class OFREPSource: RemoteSource {
    private let settings: OFREPSettings
    private let client: SourceClient
    private let state = Mutex(OFREPState())

    /// A source that has sent no request yet.
    public init(_ settings: OFREPSettings, client: SourceClient) {
        self.settings = settings
        var client = client
        if let timeout = settings.timeout {
            // The silence limit does not matter then.
            client.limits.total = min(client.limits.total, timeout)
            client.limits.silence = max(client.limits.silence, client.limits.total * 2)
        }
        self.client = client
    }

    /// The URL, and short hashes of the evaluation context, which may name people, and of the environment.
    public var identity: SourceIdentity {
        let environment = settings.environmentMark.isEmpty ? "" : ".\(StableHash.text(settings.environmentMark))"
        let whom = StableHash.text("\(settings.context.json)\n\(settings.keyPrefix)")
        return "ofrep:\(RedactedURL.text(settings.baseURL))#\(whom)\(environment)"
    }

    /// The kind of service and the server's host, with its port if it has one.
    public var name: String { settings.name }

    /// How often the server is polled; `nil` for never.
    public var pollInterval: Duration? { settings.changeDetection == .none ? nil : settings.pollInterval }

    /// Requests all flags. If there is a subscription and the server's streams are not known yet, as at the start of a
    /// run, it requests the complete response: streams are never cached.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer {
        let (hint, needsStreams) = state.withLock { ($0.takeHint(), $0.needsStreams) }
        let version = needsStreams ? nil : version
        let response: SourceResponse
        do throws(SourceError) {
            response = try await client.reporting(to: progress).send(
                settings.request(since: version, after: hint), detail: OFREPSettings.detail)
        } catch {
            state.withLock { $0.putBack(hint) }
            throw error
        }
        let answer = try SourceAnswer(response, since: version, of: name)
        guard case .values(let body, let version) = answer else { return answer }
        let parts = try SourceError.reading(name) { () throws(DocumentError) in
            try OFREPAnswer(parsing: body, base: settings.baseURL)
        }
        state.withLock { $0.found(parts.streams) }
        return .values(parts.bytes, version: version)
    }

    /// Decodes a response. There is a catalog only if a flag of that name contains one.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try OFREPFlags.document(bytes, keyPrefix: settings.keyPrefix) { settings.request().masking($0) }
    }

    /// Subscribes to the streams that the server offers in its responses. If there is no response yet, the first hint
    /// is to fetch.
    public func changes() -> AsyncStream<SourceHint>? {
        guard settings.changeDetection == .events else { return nil }
        let (hints, news) = AsyncStream.makeStream(of: SourceHint.self, bufferingPolicy: .bufferingNewest(64))
        let (changes, found) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, needsAnswer) = state.withLock { ($0.addListener(found), $0.needsStreams) }
        // Only a complete response has the streams.
        if needsAnswer { news.yield(.changed) }
        let listening = OFREPListening(
            settings: settings, client: client, news: news,
            note: { [weak self] hint in self?.state.withLock { $0.put(hint) } },
            // Until the subscription ends, which cancels the task.
            offered: { self.state.withLock { $0.streams } ?? [] })
        let task = Task { await listening.run(changes) }
        news.onTermination = { [weak self] _ in
            task.cancel()
            self?.state.withLock { $0.removeListener(number) }
        }
        return hints
    }
}
