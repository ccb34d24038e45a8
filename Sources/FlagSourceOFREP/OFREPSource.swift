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

    /// A source that has asked nothing yet.
    public init(_ settings: OFREPSettings, client: SourceClient) {
        self.settings = settings
        var client = client
        if let timeout = settings.timeout {
            // How much of it is silence counts no more.
            client.limits.total = min(client.limits.total, timeout)
            client.limits.silence = max(client.limits.silence, client.limits.total * 2)
        }
        self.client = client
    }

    /// The address, and as short hashes for whom flags are evaluated, as a context may name people, and in which environment.
    public var identity: SourceIdentity {
        let environment = settings.environmentMark.isEmpty ? "" : ".\(StableHash.text(settings.environmentMark))"
        let whom = StableHash.text("\(settings.context.json)\n\(settings.keyPrefix)")
        return "ofrep:\(RedactedURL.text(settings.baseURL))#\(whom)\(environment)"
    }

    /// The server's host, with its port where one is named, behind the kind of service.
    public var name: String { settings.name }

    /// How often the server is asked, where that is wanted.
    public var pollInterval: Duration? { settings.changeDetection == .none ? nil : settings.pollInterval }

    /// Asks for all flags. Where somebody listens for changes and the server's streams are not known yet, as at the start
    /// of a run, the whole answer is asked for: streams are never kept.
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

    /// What an answer says. A catalog only comes where a flag of that name holds one.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try OFREPFlags.document(bytes, keyPrefix: settings.keyPrefix) { settings.request().masking($0) }
    }

    /// Listens to the streams that the server offers with its answers. Where none has come yet, the first hint is to ask.
    public func changes() -> AsyncStream<SourceHint>? {
        guard settings.changeDetection == .events else { return nil }
        let (hints, news) = AsyncStream.makeStream(of: SourceHint.self, bufferingPolicy: .bufferingNewest(64))
        let (changes, found) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, needsAnswer) = state.withLock { ($0.addListener(found), $0.needsStreams) }
        // Only a whole answer tells where to listen.
        if needsAnswer { news.yield(.changed) }
        let listening = OFREPListening(
            settings: settings, client: client, news: news,
            note: { [weak self] hint in self?.state.withLock { $0.put(hint) } },
            // Until nobody listens, which cancels the task.
            offered: { self.state.withLock { $0.streams } ?? [] })
        let task = Task { await listening.run(changes) }
        news.onTermination = { [weak self] _ in
            task.cancel()
            self?.state.withLock { $0.removeListener(number) }
        }
        return hints
    }
}
