package import FlagRemote

// Requests for a project's templates (Firebase Remote Config REST API, version 1), each with an access token.
extension FirebaseTemplates {
    /// The request for a template.
    ///
    /// - Parameters:
    ///   - version: the version number; `nil` for the newest version.
    ///   - etag: the ETag of the known template, so that the service does not send it again.
    ///   - isForEvaluation: whether the parts that evaluation needs are enough. The request for the newest server template
    ///     is then that of firebase-admin.
    package func templateRequest(
        _ token: Secret, version: Int? = nil, since etag: String? = nil, isForEvaluation: Bool = false
    ) -> SourceRequest {
        let isReduced = isForEvaluation && namespace == .server && version == nil
        let query = version.map { ("versionNumber", String($0)) }
        return request(isReduced ? "serverRemoteConfig" : "remoteConfig", token, query, since: etag)
    }

    /// The request for a list of versions, the newest first.
    ///
    /// - Parameter count: the maximum number of versions; Firebase sends at most 300, as many as it stores.
    package func versionsRequest(_ token: Secret, count: Int) -> SourceRequest {
        request("remoteConfig:listVersions", token, ("pageSize", String(count)))
    }

    /// The request to publish a draft as the newest version, or to validate it.
    ///
    /// - Parameter isTrial: whether Firebase only validates the draft.
    package func publishRequest(_ token: Secret, _ draft: TemplateDraft, isTrial: Bool) -> SourceRequest {
        var request = request("remoteConfig", token, isTrial ? ("validateOnly", "true") : nil)
        request.method = .put
        request.headers["Content-Type"] = "application/json; charset=utf-8"
        // Rejected with 412 if a newer version was published in the meantime; `*` would overwrite that version.
        request.headers["If-Match"] = draft.etag
        request.body = draft.bytes
        request.isPublishing = true
        return request
    }

    private func request(
        _ resource: String, _ token: Secret, _ query: (name: String, value: String)?, since etag: String? = nil
    ) -> SourceRequest {
        let namespacePath = namespace == .client ? "" : "/namespaces/\(namespace.rawValue)"
        let path = "/v1/projects/\(PercentEncoding.encoded(projectID))\(namespacePath)/\(resource)"
        var headers = SourceHeaders()
        headers.set("Authorization", secret: token, prefix: "Bearer ")
        if let project = authorization.quotaHeader(for: projectID) { headers["x-goog-user-project"] = project }
        // Without this header Firebase sends no ETag.
        headers["Accept-Encoding"] = "gzip"
        var url = baseURL.adding(path: path)
        if let query { url = url.adding(query: query.name, query.value) }
        return SourceRequest(json: name, url: url, headers: headers, since: etag)
    }
}
