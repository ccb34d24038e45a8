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
        self.settings = settings
        self.client = client
    }

    /// The API host, and short hashes of the attributes and of the client key, which distinguishes environments.
    public var identity: SourceIdentity {
        let contextHash = StableHash.text(
            "\(settings.attributes.json)\n\(settings.evaluation.rawValue)\n\(settings.keyPrefix)")
        let environment = settings.clientKey.isEmpty ? "" : ".\(StableHash.text(settings.clientKey.mark))"
        return "growthbook:\(RedactedURL.text(settings.baseURL))#\(contextHash)\(environment)"
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
                code: .rejected, path: name,
                sentence:
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
