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
        (self.settings, self.client) = (settings, client)
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
        return try SplitFlags.document(
            bytes, trafficType: settings.selection == .all ? nil : (settings.keys.first ?? SplitKey()).trafficType,
            keyPrefix: settings.keyPrefix)
    }
}

extension SplitSettings {
    /// The source's name in messages, with the evaluator's host.
    var name: String { "split:\(baseURL.authority)" }

    /// The request for the treatments, with their configurations.
    ///
    /// - Parameter version: the ETag of the known flags; `nil` for a complete response.
    public func request(since version: String? = nil) -> SourceRequest {
        let (operation, items) = operation
        var url = baseURL.adding(path: "/client/\(operation)")
        for (name, value) in items { url = url.adding(query: name, value) }
        var headers = SourceHeaders()
        // The token is sent without "Bearer".
        if let token { headers.set("Authorization", secret: token) }
        guard requestMethod == .get else {
            var members = [("attributes", JSONOutput.raw(attributes.json))]
            if !countsImpressions { members.append(("impressionsDisabled", .bool(true))) }
            return SourceRequest(json: name, url: url, headers: headers, body: .object(members))
        }
        if attributes != ContextAttributes() { url = url.adding(query: "attributes", attributes.json) }
        if !countsImpressions {
            // The evaluator's documentation has one of these names, its code the other.
            for name in ["impressionsDisabled", "impressions-disabled"] { url = url.adding(query: name, "true") }
        }
        return SourceRequest(json: name, url: url, headers: headers, since: version)
    }

    /// The operation for the selected flags, and the query items for the evaluation context and the selected flags.
    private var operation: (name: String, items: [(String, String)]) {
        let key = keys.first ?? SplitKey()
        let keyItems = [("key", key.matchingKey)] + (key.bucketingKey.map { [("bucketing-key", $0)] } ?? [])
        return switch selection {
        case .all:
            ("get-all-treatments-with-config", [("keys", JSONOutput.array(keys.map(\.json)).text(indented: false))])
        case .names(let names):
            ("get-treatments-with-config", keyItems + [("split-names", names.joined(separator: ","))])
        case .sets(let sets):
            ("get-treatments-with-config-by-sets", keyItems + [("flag-sets", sets.joined(separator: ","))])
        }
    }

    /// The evaluation context and the selected flags as a text, for the source's identity.
    var identityText: String { operation.items.reduce(operation.name) { "\($0)\n\($1.0)=\($1.1)" } }
}
