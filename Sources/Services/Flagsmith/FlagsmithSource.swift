public import FlagModel
public import FlagRemote

/// Flags from Flagsmith, evaluated by its server.
///
/// ```swift
/// var settings = try FlagsmithSettings(environmentKey: Secret(key))
/// settings.context = FlagsmithContext(identifier: user.id, traits: ["plan": "pro"])
/// let flags = FlagStore(app: "shop", sources: [FlagsmithSource(settings, client: client)])
/// ```
///
/// The source does not report which flags were read. Flagsmith sends no version with its flags, so each response is
/// complete.
public final class FlagsmithSource: RemoteSource {
    private let settings: FlagsmithSettings
    private let client: SourceClient

    /// A source that has sent no request yet.
    public init(_ settings: FlagsmithSettings, client: SourceClient) {
        self.settings = settings
        self.client = client
    }

    /// The URL, and short hashes of the evaluation context and of the environment's key. The context may be personal
    /// data, so it is hashed.
    public var identity: SourceIdentity {
        let context = settings.context.body(isTransient: true).text(indented: false)
        let contextHash = StableHash.text("\(context)\n\(settings.keyPrefix)")
        let key = settings.environmentKey
        let environment = key.isEmpty ? "" : ".\(StableHash.text(key.mark))"
        return "flagsmith:\(RedactedURL.text(settings.baseURL))#\(contextHash)\(environment)"
    }

    /// The scheme, and the server's host and port.
    public var name: String { settings.name }

    /// The poll interval in the settings.
    public var pollInterval: Duration? { settings.pollInterval }

    /// Requests all flags.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        // The server (Django REST framework) explains errors in `detail`, the Edge Proxy in `message`.
        try await client.fetch(
            settings.request(), since: nil, hasVersions: false, explainedBy: ["detail", "message"], progress: progress
        ) { body throws(DocumentError) in try FlagsmithFlags.cached(body) }
    }

    /// Decodes every flag of a response.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try FlagsmithFlags.document(bytes, keyPrefix: settings.keyPrefix)
    }
}
