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
        var headers = SourceHeaders([("Content-Type", "application/json"), ("unleash-appname", context.appName)])
        // The token is sent without "Bearer".
        if !token.isEmpty { headers.set("Authorization", secret: token) }
        if let connection { headers["unleash-connection-id"] = connection }
        guard requestMethod == .get else {
            return SourceRequest(
                json: name, url: url, headers: headers, body: .object([("context", .raw(context.json))]))
        }
        for item in context.query { url = url.adding(query: item.name, item.value) }
        return SourceRequest(json: name, url: url, headers: headers, since: version)
    }

    /// The request for the names of all toggles (`GET /api/client/features`), with a backend token.
    ///
    /// - Parameter version: the ETag of the cached names; `nil` for a complete response.
    public func namesRequest(_ backendToken: Secret, since version: String? = nil) -> SourceRequest {
        var headers = SourceHeaders([("unleash-appname", context.appName)])
        headers.set("Authorization", secret: backendToken)
        return SourceRequest(
            json: name, url: baseURL.adding(path: "/api/client/features"), headers: headers, since: version)
    }
}
