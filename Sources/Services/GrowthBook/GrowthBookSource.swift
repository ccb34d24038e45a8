public import FlagModel
public import FlagRemote

/// Features from GrowthBook. The source evaluates them for some attributes, or a server with remote evaluation does.
///
/// ```swift
/// var settings = try GrowthBookSettings(clientKey: Secret(clientKey))
/// settings.attributes = ContextAttributes(["id": .text(user.id)])
/// let flags = FlagStore(app: "shop", sources: [GrowthBookSource(settings, client: client)])
/// ```
///
/// The source tracks no experiments.
public final class GrowthBookSource: RemoteSource {
    private let settings: GrowthBookSettings
    private let client: SourceClient

    /// A source that has sent no request yet.
    public init(_ settings: GrowthBookSettings, client: SourceClient) {
        (self.settings, self.client) = (settings, client)
    }

    /// The API host, and short hashes of the attributes and of the client key, which distinguishes environments.
    public var identity: SourceIdentity {
        let key = settings.clientKey
        return SourceIdentity(
            "growthbook", settings.baseURL,
            context: "\(settings.attributes.json)\n\(settings.evaluation.rawValue)\n\(settings.keyPrefix)",
            environment: key.isEmpty ? "" : key.mark)
    }

    /// The scheme, and the API host with its port.
    public var name: String { settings.name }

    /// The poll interval in the settings.
    public var pollInterval: Duration? { settings.pollInterval }

    /// Requests all features.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        let isRemote = settings.evaluation == .remote
        guard !(isRemote && settings.isCloud) else {
            throw SourceError(
                .rejected, of: name,
                "GrowthBook Cloud has no remote evaluation; use a GrowthBook Proxy or a self-hosted server, or "
                    + "turn remote evaluation off")
        }
        // Only responses to GET have a version. The response of a remote evaluation has "no-store".
        let version = isRemote ? nil : version
        // GrowthBook explains errors in `error`, the GrowthBook Proxy in `message`.
        return try await client.fetch(
            settings.request(since: version), since: version, hasVersions: !isRemote,
            explainedBy: ["error", "message"], progress: progress
        ) { body throws(DocumentError) in
            guard isRemote else {
                _ = try GrowthBookFlags.features(of: body)
                return body
            }
            return try GrowthBookFlags.values(ofEvaluated: body)
        }
    }

    /// Decodes every feature of a response, and evaluates it for the attributes.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try GrowthBookFlags.document(
            bytes, attributes: settings.attributes, evaluation: settings.evaluation, keyPrefix: settings.keyPrefix)
    }
}

extension GrowthBookSettings {
    /// The source's name in messages, with the API host.
    var name: String { "growthbook:\(baseURL.authority)" }

    /// The request for all features: `GET /api/features/KEY`, or `POST /api/eval/KEY` for remote evaluation
    /// (`packages/sdk-js/src/feature-repository.ts`).
    ///
    /// - Parameter version: the ETag of the cached features; `nil` for a complete response, and for remote evaluation.
    public func request(since version: String? = nil) -> SourceRequest {
        let isLocal = evaluation == .local
        let url = baseURL.adding(
            path: "/api/\(isLocal ? "features" : "eval")/\(PercentEncoding.encoded(clientKey.reveal()))")
        // The members of `build_remote_eval_payload` in the Python SDK's `common_types.py`.
        let body = JSONOutput.object([
            ("attributes", .raw(attributes.json)), ("forcedFeatures", .array([])), ("forcedVariations", .object([])),
            ("url", .string("")),
        ])
        var request = SourceRequest(json: name, url: url, body: isLocal ? nil : body, since: isLocal ? version : nil)
        request.pathSecret = clientKey
        return request
    }
}
