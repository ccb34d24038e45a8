public import FlagModel
public import FlagRemote

/// Flags from LaunchDarkly, evaluated by its servers as for a browser or a mobile app.
///
/// ```swift
/// var settings = try LaunchDarklySettings(environment: "5f0b2c…")
/// settings.context = LaunchDarklyContext(key: user.id)
/// let flags = FlagStore(app: "shop", sources: [LaunchDarklySource(settings, client: client)])
/// ```
///
/// It only reads: no events are sent, so looking at flags does not affect insights or experiments.
public final class LaunchDarklySource: RemoteSource {
    private let settings: LaunchDarklySettings
    private let client: SourceClient
    private let memory = LaunchDarklyMemory()

    /// A source that has sent no request yet.
    public init(_ settings: LaunchDarklySettings, client: SourceClient) {
        self.settings = settings
        self.client = client
    }

    /// The URL and the environment, and a short hash of the evaluation context, which may name people.
    public var identity: SourceIdentity {
        let whom = StableHash.text("\(settings.context.json)\n\(settings.keyPrefix)")
        let base = RedactedURL.text(settings.baseURL)
        return "launchdarkly:\(base)\(base.hasSuffix("/") ? "" : "/")\(settings.environment)#\(whom)"
    }

    /// The environment.
    public var name: String { settings.name }

    /// As in the settings, and at most every 30 seconds; `nil` if changes are not detected.
    public var pollInterval: Duration? {
        guard settings.changeDetection != .none else { return nil }
        return settings.pollInterval.map { max($0, LaunchDarklySettings.leastPollInterval) }
    }

    /// Returns what the stream has sent since the last fetch, without a request; else requests all flags.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer {
        if let news = takeUpdate(since: version) { return news }
        let version = memory.versionToAsk(version)
        let response = try await ask(since: version, client.reporting(to: progress))
        let answer = try SourceAnswer(response, since: version, of: name)
        guard case .values(let body, let newVersion) = answer else { return answer }
        let evaluations = try SourceError.reading(name) { () throws(DocumentError) in
            try LaunchDarklyFlags.evaluations(in: body)
        }
        return .values(memory.joining(evaluations), version: newVersion)
    }

    /// What the stream has sent since the last fetch: complete flags, so that no request is needed.
    public func takeUpdate(since version: String?) -> SourceAnswer? {
        guard let bytes = memory.takeNews() else { return nil }
        let newVersion = LaunchDarklyMemory.version(of: bytes)
        return newVersion == version ? .unchanged : .values(bytes, version: newVersion)
    }

    /// Sends a request with REPORT if that is set and supported, else with GET.
    private func ask(since version: String?, _ client: SourceClient) async throws(SourceError) -> SourceResponse {
        let isReport = settings.usesReport && memory.mayReport
        do throws(SourceError) {
            let response = try await client.send(
                settings.request(since: version, isReport: isReport), detail: LaunchDarklySettings.detail)
            memory.noteAnswer(isGood: true)
            return response
        } catch {
            guard error.status != nil else { throw error }
            memory.noteAnswer(isGood: false)
            guard isReport, LaunchDarklySettings.isUnknownMethod(error) else { throw error }
        }
        memory.noteReportRefused()
        return try await ask(since: nil, client)
    }

    /// Decodes every flag of a response.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try LaunchDarklyFlags.document(bytes, keyPrefix: settings.keyPrefix)
    }

    /// Subscribes to the environment's stream. It ends if the service rejects the key, the URL or the request.
    public func changes() -> AsyncStream<SourceHint>? {
        guard settings.changeDetection == .events else { return nil }
        let (hints, news) = AsyncStream.makeStream(of: SourceHint.self, bufferingPolicy: .bufferingNewest(64))
        let listening = LaunchDarklyListening(settings: settings, client: client, memory: memory, news: news)
        let task = Task {
            await listening.run()
            news.finish()
        }
        news.onTermination = { _ in task.cancel() }
        return hints
    }
}
