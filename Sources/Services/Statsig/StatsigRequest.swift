import FlagModel
public import FlagRemote

extension StatsigSettings {
    /// Sent as the name of the SDK.
    private static let sdkType = "flagmenu"
    /// Sent as the version of the SDK.
    private static let sdkVersion = "0.1.0"

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
        let members: [(String, JSONOutput)] = [
            ("user", user.json(environment: environment)), ("hash", .string(hash)), ("statsigMetadata", metadata),
        ]
        let derived = derivedFields.map { [("previousDerivedFields", JSONOutput.raw($0))] } ?? []
        return SourceRequest(
            json: name, url: baseURL.adding(path: "/initialize"), headers: headers,
            body: .object(members + since + derived))
    }

    private var metadata: JSONOutput {
        let stableID = user.customIDs["stableID"].map { [("stableID", JSONOutput.string($0))] } ?? []
        return .object([("sdkType", .string(Self.sdkType)), ("sdkVersion", .string(Self.sdkVersion))] + stableID)
    }

    /// The user, the environment and the hash as a text, for the source's identity. The text omits the names to read,
    /// because a response with hashes contains all flags.
    var identityText: String { "\(hash)\n\(user.json(environment: environment).text(indented: false))" }
}
