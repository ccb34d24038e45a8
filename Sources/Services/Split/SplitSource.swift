public import FlagModel
public import FlagRemote

/// Flags from Split (Harness FME), evaluated by its evaluator.
///
/// ```swift
/// var settings = try SplitSettings(baseURL: "https://evaluator.example.com")
/// settings.token = Secret(token)
/// settings.keys = [SplitKey(user.id)]
/// let flags = FlagStore(app: "shop", sources: [SplitSource(settings, client: client)])
/// ```
public final class SplitSource: RemoteSource {
    private let settings: SplitSettings
    private let client: SourceClient

    /// A source that has sent no request yet.
    public init(_ settings: SplitSettings, client: SourceClient) {
        self.settings = settings
        self.client = client
    }

    /// The URL and the environment, and a short hash of the evaluation context and the selected flags.
    public var identity: SourceIdentity {
        let contextHash = StableHash.text(
            "\(settings.identityText)\n\(settings.attributes.json)\n\(settings.keyPrefix)")
        let environment = settings.environment.map { ":\($0)" } ?? ""
        return "split:\(RedactedURL.text(settings.baseURL))\(environment)#\(contextHash)"
    }

    /// The scheme, and the evaluator's host and port.
    public var name: String { settings.name }

    /// The poll interval in the settings.
    public var pollInterval: Duration? { settings.pollInterval }

    /// Requests the treatments.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        let hasVersions = settings.requestMethod == .get
        let version = hasVersions ? version : nil
        return try await client.fetch(
            settings.request(since: version), since: version, hasVersions: hasVersions, explainedBy: ["error"],
            progress: progress
        ) { body throws(DocumentError) in
            _ = try decode(body)
            return body
        }
    }

    /// Decodes every treatment of a response.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let isForAll = settings.selection == .all
        return try SplitFlags.document(
            bytes, trafficType: isForAll ? nil : (settings.keys.first ?? SplitKey()).trafficType,
            keyPrefix: settings.keyPrefix)
    }
}
