import FlagModel

/// A response to `POST /initialize` (`InitializeResponse.ts` of js-client-monorepo).
struct StatsigResponse {
    /// The flags in the service's format. The user, which the service sends back, and exposures are left out, because
    /// they must not be cached.
    let bytes: [UInt8]
    /// The version of the values; `nil` if the service names none.
    let version: String?
    /// The fields that the service has derived from the request, such as the country and the IP address, as JSON; `nil`
    /// if there are none.
    let derivedFields: String?
    /// How names are hashed: `none`, `djb2` or `sha256`.
    let hash: String

    /// The members that are cached.
    private static let cached = ["has_updates", "hash_used", "feature_gates", "dynamic_configs", "layer_configs"]

    /// Parses a response.
    ///
    /// - Returns: `nil` if nothing has changed.
    /// - Throws: why the response is not valid.
    init?(parsing body: [UInt8]) throws(DocumentError) {
        guard let root = try Self.root(of: body) else { return nil }
        let members = root.members.filter { Self.cached.contains($0.key.string) }
        let object = JSONOutput.object(members.map { ($0.key.string, JSONOutput.raw($0.value.compactJSON)) })
        bytes = Array(object.text(indented: false).utf8)
        version = StatsigVersion(of: root)?.text
        derivedFields = root["derived_fields"].flatMap { $0.kind == .null ? nil : $0.compactJSON }
        hash = root["hash_used"]?.text?.string ?? "sha256"
    }

    /// The root object of a response with flags; `nil` if nothing has changed.
    static func root(of body: [UInt8]) throws(DocumentError) -> JSONValue? {
        let root = try JSONDocument(document: body).root
        guard let hasUpdates = root["has_updates"]?.bool else {
            throw .unknownShape("the response has no \"has_updates\"; is this the URL of Statsig's API for apps?")
        }
        guard hasUpdates else { return nil }
        // Statsig's SDKs never request this format (`Network.ts` of js-client-monorepo).
        guard root["response_format"]?.text?.string != "init-v2" else {
            throw .unknownShape("the response has the format init-v2, which is not supported")
        }
        for name in ["feature_gates", "dynamic_configs", "layer_configs"] where root[name]?.kind != .object {
            throw .unknownShape("the response has no object \"\(name)\"; is this the URL of Statsig's API for apps?")
        }
        return root
    }
}

/// The version of cached values: the time of the last change in the project, and a checksum. If a request has these
/// members, Statsig can respond that nothing has changed (`Network.ts` of js-client-monorepo).
struct StatsigVersion {
    /// The version as text: a JSON object of ``members``.
    let text: String
    /// The members of a request.
    let members: [(String, JSONOutput)]

    /// A version from its text; `nil` for any other text.
    init?(_ text: String) {
        guard let root = (try? JSONDocument(parsing: Array(text.utf8)))?.root,
            let time = root["sinceTime"], Int(time.source) != nil
        else { return nil }
        self.text = text
        members = root.members.map { ($0.key.string, JSONOutput.raw($0.value.compactJSON)) }
    }

    /// The version of a response; `nil` if it names no time.
    init?(of root: JSONValue) {
        guard let time = root["time"], Int(time.source) != nil else { return nil }
        let names = [("time", "sinceTime"), ("full_checksum", "full_checksum")]
        let members = names.compactMap { name, requestName -> (String, JSONOutput)? in
            guard let value = root[name], value.kind != .null else { return nil }
            return (requestName, JSONOutput.raw(value.compactJSON))
        }
        self.members = members
        text = JSONOutput.object(members).text(indented: false)
    }
}
