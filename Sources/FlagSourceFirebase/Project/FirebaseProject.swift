public import FlagRemote

/// Where the templates of a project are, and the questions about them (Firebase Remote Config REST API, version 1).
public struct FirebaseProject: Sendable, Hashable {
    /// Where Firebase itself is.
    package static let address = "https://firebaseremoteconfig.googleapis.com"

    /// Whose conditions a template has.
    public enum Namespace: String, Sendable, Hashable {
        /// Texts that Firebase evaluates for clients.
        case client = "firebase"
        /// Trees that servers evaluate themselves.
        case server = "firebase-server"
    }

    /// The project's id.
    public let id: String
    /// Which of its templates.
    public let namespace: Namespace
    /// Where the service is.
    public let baseURL: SourceURL
    /// What stands for whoever asks, from Google's sign-in.
    public private(set) var accessToken: Secret

    /// The templates of a project; `nil` where the address is none.
    ///
    /// - Parameter address: another address than Firebase's, for tests.
    public init?(id: String, namespace: Namespace = .client, accessToken: Secret, address: String? = nil) {
        guard !id.isEmpty, let url = SourceURL(address ?? Self.address) else { return nil }
        self.id = id
        self.namespace = namespace
        self.accessToken = accessToken
        baseURL = url
    }

    /// The name that messages use.
    public var name: String { "firebase:\(RedactedURL.text(id))" }

    /// The same, asked for with another token.
    func with(_ token: Secret) -> FirebaseProject {
        var project = self
        project.accessToken = token
        return project
    }

    /// The question for a template.
    ///
    /// - Parameters:
    ///   - version: its number; `nil` for the newest.
    ///   - etag: that of what is known, so that the same is not sent again.
    public func templateRequest(version: Int? = nil, since etag: String? = nil) -> SourceRequest {
        var request = request(.get, "remoteConfig")
        if let version { request.url = request.url.adding(query: "versionNumber", String(version)) }
        if let etag { request.headers["If-None-Match"] = etag }
        return request
    }

    /// The question that firebase-admin asks for the newest template for servers; it brings what evaluation needs alone.
    public func serverTemplateRequest(since etag: String? = nil) -> SourceRequest {
        let path = "/v1/projects/\(PercentEncoding.encoded(id))/namespaces/firebase-server/serverRemoteConfig"
        var request = request(.get, baseURL.adding(path: path))
        if let etag { request.headers["If-None-Match"] = etag }
        return request
    }

    /// The question for a list of versions, the newest first.
    ///
    /// - Parameters:
    ///   - pageSize: at most so many; Firebase sends 300 at most.
    ///   - pageToken: from the page before.
    ///   - newest: no newer ones than this number.
    public func versionsRequest(pageSize: Int = 50, pageToken: String? = nil, newest: Int? = nil) -> SourceRequest {
        var request = request(.get, "remoteConfig:listVersions")
        request.url = request.url.adding(query: "pageSize", String(min(max(pageSize, 1), 300)))
        if let pageToken { request.url = request.url.adding(query: "pageToken", pageToken) }
        if let newest { request.url = request.url.adding(query: "endVersionNumber", String(newest)) }
        return request
    }

    /// The order to make a draft the newest version, or to say whether that could be done.
    ///
    /// - Parameter isTrial: whether Firebase only checks it.
    public func publishRequest(_ draft: TemplateDraft, isTrial: Bool) -> SourceRequest {
        var request = request(.put, "remoteConfig")
        if isTrial { request.url = request.url.adding(query: "validateOnly", "true") }
        request.headers["Content-Type"] = "application/json; charset=utf-8"
        // Refused with 412 if somebody has published in the meantime. `*` would overwrite that.
        request.headers["If-Match"] = draft.etag
        request.body = draft.bytes
        request.purpose = .publishing
        return request
    }

    private func request(_ method: SourceRequest.Method, _ resource: String) -> SourceRequest {
        let home = namespace == .client ? "" : "/namespaces/\(namespace.rawValue)"
        return request(
            method, baseURL.adding(path: "/v1/projects/\(PercentEncoding.encoded(id))\(home)/\(resource)"))
    }

    private func request(_ method: SourceRequest.Method, _ url: SourceURL) -> SourceRequest {
        var headers = SourceHeaders()
        headers.set("Authorization", secret: accessToken, prefix: "Bearer ")
        headers["Accept"] = "application/json"
        // Without it Firebase sends no ETag.
        headers["Accept-Encoding"] = "gzip"
        return SourceRequest(source: name, method: method, url: url, headers: headers)
    }
}
