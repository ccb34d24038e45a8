public import FlagModel
public import FlagRemote

/// Flags from Statsig, evaluated by its servers as for a browser or a mobile app.
///
/// ```swift
/// var settings = try StatsigSettings(clientKey: Secret(key))
/// settings.user = StatsigUser(userID: user.id)
/// let flags = FlagStore(app: "shop", sources: [StatsigSource(settings, client: client)])
/// ```
///
/// The source sends no exposures and no other events, so looking at flags does not affect experiments.
public actor StatsigSource: RemoteSource {
    private let settings: StatsigSettings
    private let client: SourceClient
    /// The fields that the service has derived from the last request, such as the country, as JSON. The service
    /// compares them with the next request. They contain the IP address, so they are not cached. After a restart, the
    /// service compares only the version.
    private var derivedFields: String?

    /// A source that has sent no request yet.
    public init(_ settings: StatsigSettings, client: SourceClient) {
        self.settings = settings
        self.client = client
    }

    /// The URL, and short hashes of the user and of the client key, which selects the project.
    public nonisolated var identity: SourceIdentity {
        let userHash = StableHash.text("\(settings.identityText)\n\(settings.keyPrefix)")
        let project = settings.clientKey.isEmpty ? "" : ".\(settings.clientKey.mark)"
        return "statsig:\(RedactedURL.text(settings.baseURL))#\(userHash)\(project)"
    }

    /// The scheme, and the service's host and port.
    public nonisolated var name: String { settings.name }

    /// The poll interval in the settings.
    public nonisolated var pollInterval: Duration? { settings.pollInterval }

    /// Requests all gates, configs, experiments and layers.
    public func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        let version = version.flatMap { StatsigResponse.members(of: $0) == nil ? nil : $0 }
        let response = try await client.reporting(to: progress).send(
            settings.request(since: version, derivedFields: derivedFields)
        ) { $0.explanation(in: ["message"]) }
        // The status 204 means the same as "has_updates": false (`Network.ts` of js-client-monorepo).
        guard response.status != 204 else { return try unchanged(since: version) }
        let result = try FetchResult(response, since: version, of: name)
        guard case .values(let body, _) = result else { return result }
        guard let parsed = try SourceError.reading(name, value: try StatsigResponse(parsing: body)) else {
            return try unchanged(since: version)
        }
        guard parsed.hash == "none" || parsed.hash == settings.hash else { throw hashedNames(parsed.hash) }
        derivedFields = parsed.derivedFields
        return .values(parsed.bytes, version: parsed.version)
    }

    private func unchanged(since version: String?) throws(SourceError) -> FetchResult {
        guard version == nil else { return .unchanged }
        throw SourceError(
            code: .malformed, path: name,
            sentence: "Statsig has no values for this key and user (\"has_updates\" is false); check the client key")
    }

    /// The error of a response whose names cannot be read.
    private func hashedNames(_ hash: String) -> SourceError {
        let quoted = JSONOutput.quoted(hash, limit: 20)
        var (sentence, remedies) = (
            "the service hashes the names of gates, configs and layers (\(quoted)), so they cannot be listed",
            [
                "Set \"names\" of this source to the names that the app uses, separated by commas.",
                "Or ask Statsig's support to authorize this project for readable names (the SDKs' option "
                    + "disableHashing).",
            ]
        )
        if !settings.names.isEmpty {
            sentence = "the service hashes names with \(quoted), although \"djb2\" was requested"
            remedies = ["Check the URL after \"statsig:\": a server between this machine and Statsig changes requests."]
        }
        return SourceError(code: .rejected, path: name, sentence: sentence, cause: nil, remedies: remedies)
    }

    /// Decodes every flag of a response.
    public nonisolated func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try StatsigFlags.document(bytes, names: settings.names, keyPrefix: settings.keyPrefix)
    }
}
