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
        (self.settings, self.client) = (settings, client)
    }

    /// The URL, and short hashes of the evaluation context and of the environment's key. The context may be personal
    /// data, so it is hashed.
    public var identity: SourceIdentity {
        let context = settings.context.body(isTransient: true).text(indented: false)
        let key = settings.environmentKey
        return SourceIdentity(
            "flagsmith", settings.baseURL, context: "\(context)\n\(settings.keyPrefix)",
            environment: key.isEmpty ? "" : key.mark)
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

extension FlagsmithSettings {
    /// The source's name in messages, with the server's host.
    var name: String { "flagsmith:\(baseURL.authority)" }

    /// The request for all flags: of the identity (`POST /api/v1/identities/`), or of the environment if the context
    /// has no identity (`GET /api/v1/flags/`).
    ///
    /// `GET /api/v1/identities/` is not used, for two reasons. The server would ignore the overrides and stored traits
    /// of a transient identity (`SDKIdentities` in `api/environments/identities/views.py` of Flagsmith/flagsmith). The
    /// identifier would be in logs of URLs.
    public func request() -> SourceRequest {
        var headers = SourceHeaders()
        if !environmentKey.isEmpty { headers.set("X-Environment-Key", secret: environmentKey) }
        let resource = context.hasIdentity ? "identities" : "flags"
        return SourceRequest(
            json: name, url: baseURL.adding(path: "/api/v1/\(resource)/"), headers: headers,
            body: context.hasIdentity ? context.body(isTransient: !storesIdentity) : nil)
    }
}
