package import FlagFormats
package import FlagModel
public import FlagRemote

/// Reads and publishes the templates of a project. The only state is the token in ``authorization``.
public struct FirebaseTemplates: Sendable {
    /// Firebase's own URL.
    package static let address = "https://firebaseremoteconfig.googleapis.com"

    /// The namespace of a template, which determines the form of its conditions.
    public enum Namespace: String, Sendable, Hashable {
        /// Client templates: conditions are expressions, which Firebase evaluates.
        case client = "firebase"
        /// Server templates: conditions are trees, which servers evaluate.
        case server = "firebase-server"
    }

    /// The project's id.
    public let projectID: String
    /// The namespace of the template.
    public let namespace: Namespace
    /// The URL of the service.
    public let baseURL: SourceURL
    /// Authenticates the requests.
    public let authorization: FirebaseAuthorization

    /// The templates of a project.
    ///
    /// - Parameters:
    ///   - id: the project's id.
    ///   - namespace: client or server templates.
    ///   - authorization: authenticates the requests.
    ///   - address: a URL that replaces Firebase's, for tests.
    /// - Throws: an error if the id or the address is not valid.
    public init(
        of id: String, namespace: Namespace = .client, authorization: FirebaseAuthorization,
        address: String? = nil
    ) throws(SourceError) {
        let name = Self.name(of: id)
        guard !id.isEmpty, id.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "/") }) else {
            throw SourceError(
                .rejected, of: name,
                "a project is named by its id, as the Firebase console shows it, such as firebase:my-shop")
        }
        projectID = id
        self.namespace = namespace
        baseURL = try Self.url(address ?? Self.address)
        self.authorization = authorization
    }

    /// The URL of a Firebase service.
    static func url(_ text: String) throws(SourceError) -> SourceURL {
        try SourceURL(base: text, of: "Firebase", example: address, insteadUse: "the source's credentials")
    }

    /// The source's name in messages.
    public var name: String { Self.name(of: projectID) }

    private static func name(of id: String) -> String { "firebase:\(RedactedURL.text(id))" }

    /// Reads a template with everything that is needed to publish it again.
    ///
    /// - Parameter version: the version number; `nil` for the newest version.
    package func template(_ client: SourceClient, version: Int? = nil) async throws(SourceError) -> TemplateResponse {
        try parse(try await response(client, version: version))
    }

    /// Lists the versions that Firebase stores, the newest first.
    ///
    /// - Parameter count: the maximum number of versions to list, at most 300.
    package func versions(_ client: SourceClient, count: Int) async throws(SourceError) -> [TemplateVersion] {
        let response = try await authorization.send(client, of: name) { versionsRequest($0, count: count) }
        return try SourceError.reading(name, value: try TemplateVersion.list(response))
    }

    /// Publishes a draft as the newest version, or validates it.
    ///
    /// - Parameter isTrial: whether Firebase only validates the draft.
    /// - Returns: the published template.
    /// - Throws: why the draft was not published, also if a newer version was published since the draft's template was
    ///   read. If there was no response, read the template to see whether the draft was published.
    @discardableResult
    package func publish(
        _ draft: TemplateDraft, _ client: SourceClient, isTrial: Bool = false
    ) async throws(SourceError) -> TemplateResponse {
        do throws(SourceError) {
            // No retry: if the response was lost, the request may have succeeded.
            return try parse(
                try await authorization.send(client.withoutRetries, of: name) {
                    publishRequest($0, draft, isTrial: isTrial)
                })
        } catch {
            // 412: the ETag does not match. 409: two requests at the same moment.
            guard error.status == 412 || error.status == 409 else { throw error }
            throw SourceError(
                .rejected, of: name, "a newer version of the template was published in the meantime; check it first")
        }
    }

    /// Sends a request for a template. If Firebase has nothing there, the error names the version, if the request does.
    ///
    /// - Parameters:
    ///   - version: the version number; `nil` for the newest version.
    ///   - etag: the ETag of the known template, so that the service does not send it again.
    ///   - isForEvaluation: whether the parts that evaluation needs are enough. The request for the newest server template
    ///     is then that of firebase-admin.
    func response(
        _ client: SourceClient, version: Int?, since etag: String? = nil, isForEvaluation: Bool = false
    ) async throws(SourceError) -> SourceResponse {
        let isReduced = isForEvaluation && namespace == .server && version == nil
        let query = version.map { ("versionNumber", String($0)) }
        do throws(SourceError) {
            return try await authorization.send(client, of: name) {
                request(isReduced ? "serverRemoteConfig" : "remoteConfig", $0, query, since: etag)
            }
        } catch {
            guard let version, error.code == .missing else { throw error }
            var error = error
            error.sentence =
                "Firebase has no version \(version) of this template (HTTP status \(error.status ?? 404)); it stores at "
                + "most 300 versions, for 90 days"
            throw error
        }
    }

    private func parse(_ response: SourceResponse) throws(SourceError) -> TemplateResponse {
        _ = try FetchResult(response, since: nil, of: name)
        return try SourceError.reading(name, value: try TemplateResponse(response))
    }

    // Requests (Firebase Remote Config REST API, version 1), each with an access token.

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

/// A template as the service sent it, with everything that is needed to publish it again.
package struct TemplateResponse: Sendable {
    /// The parsed template.
    package let template: FirebaseTemplate
    /// The template's bytes, including unknown parts.
    package let bytes: [UInt8]
    /// The ETag of the project's newest template when this one was read; `nil` if the service sent none.
    package let etag: String?

    /// Decodes a response.
    ///
    /// - Throws: why the response is not valid.
    package init(_ response: SourceResponse) throws(DocumentError) {
        template = try FirebaseTemplate(parsing: response.body)
        bytes = response.body
        etag = response.headers["ETag"]
    }
}

extension TemplateVersion {
    /// Decodes the response to a request for versions, the newest first.
    ///
    /// - Throws: why the response is not valid.
    package static func list(_ response: SourceResponse) throws(DocumentError) -> [TemplateVersion] {
        let root = try JSONDocument(document: response.body).root
        guard root.kind == .object else {
            throw .unknownShape("the list of versions is \(root.kindWords); expected an object")
        }
        return root["versions"]?.elements.compactMap { TemplateVersion($0) } ?? []
    }
}

/// The error responses of Firebase.
package enum FirebaseServiceError {
    /// The service's explanation in an error response, such as `PERMISSION_DENIED: the message`; `nil` if there is none.
    /// See ``SourceClient/send(_:detail:)``.
    package static func detail(_ response: SourceResponse) -> String? {
        guard let error = (try? JSONDocument(parsing: response.body))?.root["error"] else { return nil }
        let parts = [error["status"], error["message"]].compactMap { $0?.text?.string }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
