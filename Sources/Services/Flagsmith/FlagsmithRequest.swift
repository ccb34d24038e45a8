import FlagModel
public import FlagRemote

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
