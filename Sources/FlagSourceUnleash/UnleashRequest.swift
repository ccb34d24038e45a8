import FlagModel
public import FlagRemote

extension UnleashSettings {
    /// The name that messages use: the server's host.
    var name: String { "unleash:\(baseURL.authority)" }

    /// The question for all toggles that are on (`GET` or `POST /api/frontend`).
    ///
    /// - Parameters:
    ///   - version: the ETag of what is known, sent back as it came. The service says 304 to `GET` alone.
    ///   - connection: what tells this run from others, a UUID.
    public func request(since version: String? = nil, connection: String? = nil) -> SourceRequest {
        var url = baseURL.adding(path: "/api/frontend")
        var headers = SourceHeaders([("Accept", "application/json"), ("Content-Type", "application/json")])
        // The token goes as it is, without "Bearer".
        if !token.isEmpty { headers.set("Authorization", secret: token) }
        headers["unleash-appname"] = context.appName
        if let connection { headers["unleash-connection-id"] = connection }
        guard question == .get else {
            return SourceRequest(
                source: name, method: .post, url: url, headers: headers,
                body: Array("{\"context\":\(context.json)}".utf8))
        }
        for item in context.query { url = url.adding(query: item.name, item.value) }
        if let version { headers["If-None-Match"] = version }
        return SourceRequest(source: name, url: url, headers: headers)
    }

    /// What a failed answer says itself: `message`.
    static func detail(_ response: SourceResponse) -> String? {
        (try? JSONDocument(parsing: response.body))?.root["message"]?.text?.string
    }
}
