import FlagModel
public import FlagRemote

extension SplitSettings {
    /// The source's name in messages, with the evaluator's host.
    var name: String { "split:\(baseURL.authority)" }

    /// The request for the treatments, with their configurations.
    ///
    /// - Parameter version: the ETag of the known flags; `nil` for a complete response.
    public func request(since version: String? = nil) -> SourceRequest {
        var url = baseURL.adding(path: "/client/\(operation)")
        for (name, value) in queryItems { url = url.adding(query: name, value) }
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

    private var operation: String {
        switch selection {
        case .all: "get-all-treatments-with-config"
        case .names: "get-treatments-with-config"
        case .sets: "get-treatments-with-config-by-sets"
        }
    }

    /// The query items for the evaluation context and the selected flags.
    private var queryItems: [(String, String)] {
        let key = keys.first ?? SplitKey()
        let keyItems = [("key", key.matchingKey)] + (key.bucketingKey.map { [("bucketing-key", $0)] } ?? [])
        return switch selection {
        case .all: [("keys", JSONOutput.array(keys.map(\.json)).text(indented: false))]
        case .names(let names): keyItems + [("split-names", names.joined(separator: ","))]
        case .sets(let sets): keyItems + [("flag-sets", sets.joined(separator: ","))]
        }
    }

    /// The evaluation context and the selected flags as a text, for the source's identity.
    var identityText: String { queryItems.reduce(operation) { "\($0)\n\($1.0)=\($1.1)" } }
}
