public import FlagModel
public import FlagRemote
import Synchronization

/// Flags from PostHog, evaluated by its flags endpoint.
///
/// ```swift
/// var settings = try PostHogSettings(baseURL: PostHogSettings.euBaseURL, projectAPIKey: Secret(key))
/// settings.context.distinctID = user.id
/// let flags = FlagStore(app: "shop", sources: [PostHogSource(settings, client: client)])
/// ```
///
/// The source sends no events, such as `$feature_flag_called`.
public final class PostHogSource: RemoteSource {
    private let settings: PostHogSettings
    private let client: SourceClient
    /// The last record of each flag as JSON, from the cache or from this run.
    private let known = Mutex<FlagTable<String>>([:])

    /// A source that has sent no request yet.
    public init(_ settings: PostHogSettings, client: SourceClient) {
        self.settings = settings
        self.client = client
    }

    /// The URL, and short hashes of the evaluation context and of the key. Only the key identifies the project.
    public var identity: SourceIdentity {
        let key = settings.projectAPIKey
        let project = key.isEmpty ? "" : ".\(StableHash.text(key.mark))"
        return "posthog:\(RedactedURL.text(settings.baseURL))#\(StableHash.text(settings.identityText))\(project)"
    }

    /// The scheme, and the host and port.
    public var name: String { settings.name }

    /// The poll interval in the settings.
    public var pollInterval: Duration? { settings.pollInterval }

    /// Requests all flags.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        // PostHog/posthog, `rust/feature-flags/src/api/errors.rs`.
        let response = try await client.reporting(to: progress).send(settings.request()) {
            $0.explanation(in: ["detail"])
        }
        let result = try FetchResult(response, since: nil, of: name)
        guard case .values(let body, _) = result else { return result }
        let parsed = try SourceError.reading(name, value: try PostHogResponse(parsing: body))
        guard !parsed.isQuotaLimited else {
            throw SourceError(
                code: .rateLimited, path: name, sentence: PostHogResponse.quotaSentence, cause: nil,
                remedies: [
                    "Raise the billing limit for feature flags in PostHog's billing settings, or wait for the next "
                        + "billing period."
                ])
        }
        return .values(known.withLock { parsed.completed(with: &$0) }, version: nil)
    }

    /// Decodes every flag of a response. Before the first request, this method decodes the cached response. The source
    /// records the flags: a flag keeps its value if PostHog cannot evaluate the flag later.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let response = try PostHogResponse(parsing: bytes)
        known.withLock { $0.merge(response.evaluatedRecords) { _, new in new } }
        return try PostHogFlags.document(response, keyPrefix: settings.keyPrefix)
    }
}
