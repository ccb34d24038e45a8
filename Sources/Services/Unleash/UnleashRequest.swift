import FlagModel
public import FlagRemote

extension UnleashSettings {
    /// The source's name in messages, with the server's host.
    var name: String { "unleash:\(baseURL.authority)" }

    /// The request for all toggles that are on (`GET` or `POST /api/frontend`).
    ///
    /// - Parameters:
    ///   - version: the ETag of the known toggles; `nil` for a complete response. The service responds 304 to `GET`
    ///     only.
    ///   - connection: a UUID that identifies this run.
    public func request(since version: String? = nil, connection: String? = nil) -> SourceRequest {
        var url = baseURL.adding(path: "/api/frontend")
        var headers = SourceHeaders([("Accept", "application/json"), ("Content-Type", "application/json")])
        // The token is sent without "Bearer".
        if !token.isEmpty { headers.set("Authorization", secret: token) }
        headers["unleash-appname"] = context.appName
        if let connection { headers["unleash-connection-id"] = connection }
        guard requestMethod == .get else {
            return SourceRequest(
                source: name, method: .post, url: url, headers: headers,
                body: Array("{\"context\":\(context.json)}".utf8))
        }
        for item in context.query { url = url.adding(query: item.name, item.value) }
        if let version { headers["If-None-Match"] = version }
        return SourceRequest(source: name, url: url, headers: headers)
    }

    /// The request for the names of all toggles (`GET /api/client/features`), with a backend token.
    ///
    /// - Parameter version: the ETag of the cached names; `nil` for a complete response.
    public func namesRequest(_ backendToken: Secret, since version: String? = nil) -> SourceRequest {
        var headers = SourceHeaders([("Accept", "application/json")])
        headers.set("Authorization", secret: backendToken)
        headers["unleash-appname"] = context.appName
        if let version { headers["If-None-Match"] = version }
        return SourceRequest(source: name, url: baseURL.adding(path: "/api/client/features"), headers: headers)
    }
}
