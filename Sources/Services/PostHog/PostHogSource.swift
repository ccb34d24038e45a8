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
        (self.settings, self.client) = (settings, client)
    }

    /// The URL, and short hashes of the evaluation context and of the key. Only the key identifies the project.
    public var identity: SourceIdentity {
        let key = settings.projectAPIKey
        return SourceIdentity(
            "posthog", settings.baseURL, context: settings.identityText, environment: key.isEmpty ? "" : key.mark)
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
                .rateLimited, of: name, PostHogResponse.quotaSentence,
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

extension PostHogSettings {
    /// The source's name in messages, with the host.
    var name: String { "posthog:\(baseURL.authority)" }

    /// The request for all flags (`POST /flags/?v=2`, <https://posthog.com/docs/api/flags>). The endpoint sends no
    /// version with its responses.
    public func request() -> SourceRequest {
        // The endpoint reads the key from a member `token` or `api_key` (PostHog/posthog, flag_request.rs). Errors mask
        // the value of a member `token`.
        let members = [("token", JSONOutput.string(projectAPIKey.reveal()))] + parameters
        return SourceRequest(
            json: name, url: baseURL.adding(path: "/flags/").adding(query: "v", "2"), body: .object(members))
    }

    /// The members of the body without the key: the evaluation context, and which flags are requested.
    private var parameters: [(String, JSONOutput)] {
        var members = context.members
        // Without a runtime, the endpoint infers one from the User-Agent, and leaves out the flags of other runtimes
        // (PostHog/posthog, `rust/feature-flags/src/handler/flags.rs`).
        members.append(("evaluation_runtime", .string(evaluationRuntime.rawValue)))
        for (name, texts) in [("flag_keys_to_evaluate", flagKeys), ("evaluation_contexts", evaluationContexts)]
        where !texts.isEmpty {
            members.append((name, .array(texts.map { .string($0) })))
        }
        if !usesGeoIP { members.append(("geoip_disable", .bool(true))) }
        return members
    }

    /// The evaluation context and the requested flags as a text, for the source's identity.
    var identityText: String { "\(JSONOutput.object(parameters).text(indented: false))\n\(keyPrefix)" }
}
