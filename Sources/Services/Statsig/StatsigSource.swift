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
        (self.settings, self.client) = (settings, client)
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
            .malformed, of: name,
            "Statsig has no values for this key and user (\"has_updates\" is false); check the client key")
    }

    /// The error of a response whose names cannot be read.
    private func hashedNames(_ hash: String) -> SourceError {
        let quoted = JSONOutput.quoted(hash, limit: 20)
        var sentence = "the service hashes the names of gates, configs and layers (\(quoted)), so they cannot be listed"
        var remedies = [
            "Set \"names\" of this source to the names that the app uses, separated by commas.",
            "Or ask Statsig's support to authorize this project for readable names (the SDKs' option disableHashing).",
        ]
        if !settings.names.isEmpty {
            sentence = "the service hashes names with \(quoted), although \"djb2\" was requested"
            remedies = ["Check the URL after \"statsig:\": a server between this machine and Statsig changes requests."]
        }
        return SourceError(.rejected, of: name, sentence, remedies: remedies)
    }

    /// Decodes every flag of a response.
    public nonisolated func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        try StatsigFlags.document(bytes, names: settings.names, keyPrefix: settings.keyPrefix)
    }
}

extension StatsigSettings {
    /// Sent as the name of the SDK.
    private static let sdkType = "flagmenu"
    /// Sent as the version of the SDK.
    private static let sdkVersion = "0.2.0"

    /// The source's name in messages, with the service's host.
    var name: String { "statsig:\(baseURL.authority)" }

    /// How the names in the response are hashed. With `none`, they are readable if Statsig has authorized the project.
    /// For all other projects, the SDKs request `djb2` (`disableHashing` in `NetworkService.swift` of ios-sdk).
    var hash: String { names.isEmpty ? "none" : "djb2" }

    /// The request for all gates, configs, experiments and layers (`POST /initialize`, as in `NetworkService.swift` of
    /// ios-sdk and `Network.ts` of js-client-monorepo).
    ///
    /// - Parameters:
    ///   - version: the version of the cached values, from ``StatsigSource``; `nil` for a complete response.
    ///   - derivedFields: what the service has derived from the last request, as JSON; `nil` if unknown.
    public func request(since version: String? = nil, derivedFields: String? = nil) -> SourceRequest {
        var headers = SourceHeaders([
            ("STATSIG-SDK-TYPE", Self.sdkType), ("STATSIG-SDK-VERSION", Self.sdkVersion),
        ])
        if !clientKey.isEmpty { headers.set("STATSIG-API-KEY", secret: clientKey) }
        let since = version.flatMap { StatsigResponse.members(of: $0) } ?? [("sinceTime", .integer(0))]
        let stableID = user.customIDs["stableID"].map { [("stableID", JSONOutput.string($0))] } ?? []
        let sdk = [("sdkType", JSONOutput.string(Self.sdkType)), ("sdkVersion", .string(Self.sdkVersion))]
        let members: [(String, JSONOutput)] = [
            ("user", user.json(environment: environment)), ("hash", .string(hash)),
            ("statsigMetadata", .object(sdk + stableID)),
        ]
        let derived = derivedFields.map { [("previousDerivedFields", JSONOutput.raw($0))] } ?? []
        return SourceRequest(
            json: name, url: baseURL.adding(path: "/initialize"), headers: headers,
            body: .object(members + since + derived))
    }

    /// The user, the environment and the hash as a text, for the source's identity. The text omits the names to read,
    /// because a response with hashes contains all flags.
    var identityText: String { "\(hash)\n\(user.json(environment: environment).text(indented: false))" }
}
