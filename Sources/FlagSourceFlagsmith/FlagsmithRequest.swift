import FlagModel
public import FlagRemote

extension FlagsmithSettings {
    /// The source's name in messages, with the server's host.
    var name: String { "flagsmith:\(baseURL.authority)" }

    /// The request for all flags: of the identity (`POST /api/v1/identities/`), or of the environment if the context
    /// has no identity (`GET /api/v1/flags/`).
    ///
    /// `GET /api/v1/identities/` is not used: the server then ignores the overrides and stored traits of a transient
    /// identity (`SDKIdentities` in `api/environments/identities/views.py` of Flagsmith/flagsmith), and the identifier
    /// would be in URL logs.
    public func request() -> SourceRequest {
        var headers = SourceHeaders([("Accept", "application/json")])
        if !environmentKey.isEmpty { headers.set("X-Environment-Key", secret: environmentKey) }
        guard context.hasIdentity else {
            return SourceRequest(source: name, url: baseURL.adding(path: "/api/v1/flags/"), headers: headers)
        }
        headers["Content-Type"] = "application/json"
        return SourceRequest(
            source: name, method: .post, url: baseURL.adding(path: "/api/v1/identities/"), headers: headers,
            body: Array(context.body(isTransient: !storesIdentity).utf8))
    }
}

// Errors of the service.
extension FlagsmithSettings {
    /// The explanation in an error response: `detail` from the server (Django REST framework), `message` from the Edge
    /// Proxy, or what is wrong with each member of the request.
    static func detail(_ response: SourceResponse) -> String? {
        guard let root = (try? JSONDocument(parsing: response.body))?.root else { return nil }
        let texts = texts(of: root["detail"] ?? root["message"] ?? root)
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private static func texts(of value: JSONValue) -> [String] {
        if let text = value.text?.string { return [text] }
        // The Edge Proxy's framework FastAPI: {"loc": ["body", "identifier"], "msg": "Field required"}.
        if let message = value["msg"]?.text?.string {
            let place = value["loc"]?.elements.compactMap { $0.flagText?.string } ?? []
            return ["\(place.joined(separator: ".")): \(message)"]
        }
        let memberTexts = value.members.flatMap { member in
            texts(of: member.value).map { "\(member.key.string): \($0)" }
        }
        return value.elements.flatMap { texts(of: $0) } + memberTexts
    }

    /// The error of a request, with what to do in Flagsmith's terms.
    static func explained(_ error: SourceError) -> SourceError {
        guard let status = error.status, let remedy = remedy(status) else { return error }
        var error = error
        // The text after the last semicolon says what to do about any service.
        let end = error.sentence.lastIndex(of: ";") ?? error.sentence.endIndex
        error.sentence = "\(error.sentence[..<end]); \(remedy)"
        return error
    }

    private static func remedy(_ status: Int) -> String? {
        switch status {
        case 400, 422: "check the identifier and the traits; the Edge Proxy requires an identifier"
        // The server has status 403 for an unknown key, and if it serves no more flags because the plan's limit is
        // exceeded (`EnvironmentKeyAuthentication` in `api/environments/authentication.py` of Flagsmith/flagsmith).
        case 401, 403:
            "check that the key is that of an environment of this server, and that the organisation's plan allows more "
                + "requests"
        case 404: "check the URL: the requests go to \"/api/v1\" below it"
        default: nil
        }
    }
}
