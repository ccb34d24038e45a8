public import FlagModel
public import FlagRemote
import Synchronization

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
    let settings: LaunchDarklySettings
    let client: SourceClient
    let state = Mutex(LaunchDarklyState())

    /// The prefix of versions of streamed flags. The service does not know these versions.
    private static let streamPrefix = "stream:"

    /// A source that has sent no request yet.
    public init(_ settings: LaunchDarklySettings, client: SourceClient) {
        (self.settings, self.client) = (settings, client)
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
        // After a failure the request names no version, as in the SDKs, so that the response is complete.
        let isKnown = version?.hasPrefix(Self.streamPrefix) == false && state.withLock { !$0.hasFailed }
        let version = isKnown ? version : nil
        let response = try await sendRequest(since: version, client.reporting(to: progress))
        let result = try FetchResult(response, since: version, of: name)
        guard case .values(let body, let newVersion) = result else { return result }
        let evaluations = try SourceError.reading(name, value: try LaunchDarklyFlags.evaluations(in: body))
        return .values(state.withLock { $0.joining(evaluations) }, version: newVersion)
    }

    /// All flags from the stream, if they have changed since the last fetch; no request is needed for them.
    public func readPendingUpdate(since version: String?) -> FetchResult? {
        guard let bytes = state.withLock({ $0.readPendingFlags() }) else { return nil }
        let newVersion = Self.streamPrefix + StableHash.text(String(decoding: bytes, as: UTF8.self))
        return newVersion == version ? .unchanged : .values(bytes, version: newVersion)
    }

    /// Whether requests have the method REPORT: the settings enable it, and the service has not rejected it.
    var isReporting: Bool { settings.usesReport && state.withLock { !$0.isReportRejected } }

    private func sendRequest(since version: String?, _ client: SourceClient) async throws(SourceError) -> SourceResponse
    {
        let isReport = isReporting
        do throws(SourceError) {
            let response = try await client.send(settings.request(since: version, isReport: isReport)) {
                $0.explanation(in: ["message"])
            }
            state.withLock { $0.hasFailed = false }
            return response
        } catch {
            guard error.status != nil else { throw error }
            state.withLock { $0.hasFailed = true }
            guard isReport, LaunchDarklySettings.isUnknownMethod(error) else { throw error }
        }
        state.withLock { $0.isReportRejected = true }
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
        return .reported { await self.listen($0) }
    }
}

extension LaunchDarklySettings {
    /// The source's name in messages, redacted, as a user may have entered a URL with secrets as the environment.
    var name: String { "launchdarkly:\(RedactedURL.text(environment))" }

    /// The request for all flags.
    ///
    /// - Parameters:
    ///   - version: the ETag of the known flags; `nil` for a complete response.
    ///   - isReport: whether the context is sent in the body.
    public func request(since version: String? = nil, isReport: Bool = false) -> SourceRequest {
        let path = mobileKey == nil ? "/sdk/evalx/\(environmentSegment)/context" : "/msdk/evalx/context"
        return evaluationRequest(
            to: baseURL, path: isReport ? path : "\(path)s/\(contextSegment)", isReport, since: version)
    }

    /// The request for the stream of changes.
    public func streamRequest(isReport: Bool = false) -> SourceRequest {
        let path = mobileKey == nil ? "/eval/\(environmentSegment)" : "/meval"
        return evaluationRequest(to: streamURL, path: isReport ? path : "\(path)/\(contextSegment)", isReport)
    }

    private func evaluationRequest(
        to host: SourceURL, path: String, _ isReport: Bool, since version: String? = nil
    ) -> SourceRequest {
        var url = host.adding(path: path)
        if wantsReasons { url = url.adding(query: "withReasons", "true") }
        if let secureModeHash { url = url.adding(query: "h", secureModeHash.reveal()) }
        var headers = SourceHeaders()
        // The prefix of the SDK for iOS; the key alone works too.
        if let mobileKey { headers.set("Authorization", secret: mobileKey, prefix: "api_key ") }
        var request = SourceRequest(
            json: name, url: url, headers: headers, body: isReport ? .raw(context.json) : nil, since: version)
        if isReport { request.method = .report }
        return request
    }

    /// Whether an error says that the service, or a proxy in front of it, does not support the method REPORT. After any
    /// other error the context must not be sent in the URL.
    static func isUnknownMethod(_ error: SourceError) -> Bool {
        error.status.map { [400, 405, 501].contains($0) } == true
    }

    private var environmentSegment: String { PercentEncoding.encoded(environment) }

    /// The context in base64 with padding, as in the SDK for iOS.
    private var contextSegment: String { Base64Text.urlText(context.json.utf8) }
}
