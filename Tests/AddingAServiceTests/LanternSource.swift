public import FlagModel
public import FlagRemote

/// Flags from Lantern, which sends the version of its flags as an ETag.
public final class LanternSource: RemoteSource {
    private let settings: LanternSettings
    private let client: SourceClient

    /// A source that has sent no request yet.
    public init(_ settings: LanternSettings, client: SourceClient) {
        self.settings = settings
        self.client = client
    }

    /// The URL, and a short hash of the settings that the values depend on.
    public var identity: SourceIdentity {
        let hash = StableHash.text("\(settings.environment)\n\(settings.keyPrefix)")
        return "lantern:\(RedactedURL.text(settings.baseURL))#\(hash)"
    }

    /// The scheme, and the server's host and port.
    public var name: String { settings.name }

    /// The poll interval in the settings.
    public var pollInterval: Duration? { settings.pollInterval }

    /// Requests all flags.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        try await client.fetch(
            settings.request(since: version), since: version, explainedBy: ["error"], progress: progress
        ) { body throws(DocumentError) in
            _ = try decode(body)
            return body
        }
    }

    /// Decodes every flag of a response.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try LanternFlags.document(bytes, keyPrefix: settings.keyPrefix)
    }
}
