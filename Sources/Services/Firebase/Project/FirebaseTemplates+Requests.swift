package import FlagRemote

// Requests for a project's templates (Firebase Remote Config REST API, version 1), each with an access token.
extension FirebaseTemplates {
    /// The request for a template.
    ///
    /// - Parameters:
    ///   - version: the version number; `nil` for the newest version.
    ///   - etag: the ETag of the known template, so that the service does not send it again.
    package func templateRequest(_ token: Secret, version: Int? = nil, since etag: String? = nil) -> SourceRequest {
        var request = request(.get, "remoteConfig", token)
        if let version { request.url = request.url.adding(query: "versionNumber", String(version)) }
        request.headers["If-None-Match"] = etag
        return request
    }

    /// The request of firebase-admin for the newest server template; the response has only the parts that evaluation
    /// needs.
    package func serverTemplateRequest(_ token: Secret, since etag: String? = nil) -> SourceRequest {
        var request = request(.get, "serverRemoteConfig", token)
        request.headers["If-None-Match"] = etag
        return request
    }

    /// The request for a list of versions, the newest first.
    ///
    /// - Parameter count: the maximum number of versions; Firebase sends at most 300, as many as it stores.
    package func versionsRequest(_ token: Secret, count: Int) -> SourceRequest {
        var request = request(.get, "remoteConfig:listVersions", token)
        request.url = request.url.adding(query: "pageSize", String(count))
        return request
    }

    /// The request to publish a draft as the newest version, or to validate it.
    ///
    /// - Parameter isTrial: whether Firebase only validates the draft.
    package func publishRequest(_ token: Secret, _ draft: TemplateDraft, isTrial: Bool) -> SourceRequest {
        var request = request(.put, "remoteConfig", token)
        if isTrial { request.url = request.url.adding(query: "validateOnly", "true") }
        request.headers["Content-Type"] = "application/json; charset=utf-8"
        // Rejected with 412 if a newer version was published in the meantime; `*` would overwrite that version.
        request.headers["If-Match"] = draft.etag
        request.body = draft.bytes
        request.isPublishing = true
        return request
    }

    private func request(_ method: SourceRequest.Method, _ resource: String, _ token: Secret) -> SourceRequest {
        let namespacePath = namespace == .client ? "" : "/namespaces/\(namespace.rawValue)"
        let path = "/v1/projects/\(PercentEncoding.encoded(projectID))\(namespacePath)/\(resource)"
        var headers = SourceHeaders()
        headers.set("Authorization", secret: token, prefix: "Bearer ")
        headers["Accept"] = "application/json"
        if let project = authorization.quotaHeader(for: projectID) { headers["x-goog-user-project"] = project }
        // Without this header Firebase sends no ETag.
        headers["Accept-Encoding"] = "gzip"
        return SourceRequest(source: name, method: method, url: baseURL.adding(path: path), headers: headers)
    }
}
