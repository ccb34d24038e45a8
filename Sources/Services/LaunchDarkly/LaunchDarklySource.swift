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
/// The source sends no events, so looking at flags does not affect insights or experiments.
public final class LaunchDarklySource: RemoteSource {
    private let settings: LaunchDarklySettings
    private let client: SourceClient
    private let memory = LaunchDarklyMemory()

    /// A source that has sent no request yet.
    public init(_ settings: LaunchDarklySettings, client: SourceClient) {
        self.settings = settings
        self.client = client
    }

    /// The URL and the environment, and a short hash of the evaluation context. The context is hashed, as it may be
    /// personal.
    public var identity: SourceIdentity {
        let contextHash = StableHash.text("\(settings.context.json)\n\(settings.keyPrefix)")
        let base = RedactedURL.text(settings.baseURL)
        return "launchdarkly:\(base)\(base.hasSuffix("/") ? "" : "/")\(settings.environment)#\(contextHash)"
    }

    /// The environment.
    public var name: String { settings.name }

    /// The poll interval in the settings, but at least 30 seconds; `nil` if changes are not detected.
    public var pollInterval: Duration? {
        guard settings.changeDetection != .none else { return nil }
        return settings.pollInterval.map { max($0, LaunchDarklySettings.leastPollInterval) }
    }

    /// Returns the flags from the stream if they have changed since the last fetch; else requests all flags.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        if let updates = readPendingUpdate(since: version) { return updates }
        let version = memory.versionToRequest(version)
        let response = try await sendRequest(since: version, client.reporting(to: progress))
        let result = try FetchResult(response, since: version, of: name)
        guard case .values(let body, let newVersion) = result else { return result }
        let evaluations = try SourceError.reading(name) { () throws(DocumentError) in
            try LaunchDarklyFlags.evaluations(in: body)
        }
        return .values(memory.joining(evaluations), version: newVersion)
    }

    /// All flags from the stream, if they have changed since the last fetch; no request is needed for them.
    public func readPendingUpdate(since version: String?) -> FetchResult? {
        guard let bytes = memory.readPendingFlags() else { return nil }
        let newVersion = LaunchDarklyMemory.version(of: bytes)
        return newVersion == version ? .unchanged : .values(bytes, version: newVersion)
    }

    /// Sends a request with the method REPORT if the settings enable it and the service supports it, else with GET.
    private func sendRequest(since version: String?, _ client: SourceClient) async throws(SourceError) -> SourceResponse
    {
        let isReport = settings.usesReport && memory.mayReport
        do throws(SourceError) {
            let response = try await client.send(settings.request(since: version, isReport: isReport)) {
                $0.explanation(in: ["message"])
            }
            memory.recordResponse(isGood: true)
            return response
        } catch {
            guard error.status != nil else { throw error }
            memory.recordResponse(isGood: false)
            guard isReport, LaunchDarklySettings.isUnknownMethod(error) else { throw error }
        }
        memory.recordReportRejection()
        return try await sendRequest(since: nil, client)
    }

    /// Decodes every flag of a response.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try LaunchDarklyFlags.document(
            bytes, keyPrefix: settings.keyPrefix, warnings: [settings.pollWarning].compactMap { $0 })
    }

    /// Subscribes to the environment's stream. The returned stream ends if the service rejects the key, the URL or the
    /// request.
    public func changes() -> AsyncStream<LiveUpdateEvent>? {
        guard settings.changeDetection == .events else { return nil }
        let (events, continuation) = AsyncStream.makeStream(
            of: LiveUpdateEvent.self, bufferingPolicy: .bufferingNewest(64))
        let subscription = LaunchDarklySubscription(
            settings: settings, client: client, memory: memory, updates: continuation)
        let task = Task {
            await subscription.run()
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return events
    }
}
