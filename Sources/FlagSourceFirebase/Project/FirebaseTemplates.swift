package import FlagFormats
import FlagModel
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

    /// The result of publishing.
    package enum Publication: Sendable {
        /// The draft is the newest version now or, after a validation, can be published.
        case published(TemplateResponse)
        /// A newer version was published since the draft's template was read: read the template again.
        case stale(SourceError)
    }

    /// The maximum number of pages of a list of versions. Firebase stores 300 versions.
    private static let pageLimit = 100

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
                code: .rejected, path: name,
                sentence: "a project is named by its id, as the Firebase console shows it, such as firebase:my-shop")
        }
        guard let url = SourceURL(address ?? Self.address), url.userInfo == nil, url.query == nil else {
            // The address may be a credential, so it is not shown.
            throw SourceError(
                code: .rejected, path: name,
                sentence: "not a valid URL to use instead of Firebase's own; it starts with https:// or http:// and "
                    + "has no user, password or query")
        }
        projectID = id
        self.namespace = namespace
        baseURL = url
        self.authorization = authorization
    }

    /// The source's name in messages.
    public var name: String { Self.name(of: projectID) }

    private static func name(of id: String) -> String { "firebase:\(RedactedURL.text(id))" }

    /// Reads a template with everything that is needed to publish it again.
    ///
    /// - Parameter version: the version number; `nil` for the newest version.
    package func template(_ client: SourceClient, version: Int? = nil) async throws(SourceError) -> TemplateResponse {
        let response = try await naming(version) { () throws(SourceError) in
            try await authorization.send(client, of: name) { templateRequest($0, version: version) }
        }
        return try parse(response)
    }

    /// Lists the versions that Firebase stores, the newest first, page by page.
    ///
    /// - Parameters:
    ///   - newest: the greatest version number to list; `nil` for no limit.
    ///   - count: the maximum number of versions to list.
    package func versions(
        _ client: SourceClient, newest: Int? = nil, count: Int = 300
    ) async throws(SourceError) -> [TemplateVersion] {
        var versions: [TemplateVersion] = []
        var (pageToken, knownTokens) = (String?.none, Set<String>())
        repeat {
            let size = min(count - versions.count, 300)
            let response = try await authorization.send(client, of: name) { [pageToken] in
                versionsRequest($0, pageSize: size, pageToken: pageToken, newest: newest)
            }
            let page = try SourceError.reading(name) { () throws(DocumentError) in try VersionPage(response) }
            versions += page.versions
            pageToken = page.nextPageToken
            guard pageToken.map({ knownTokens.insert($0).inserted }) ?? true, knownTokens.count < Self.pageLimit else {
                throw SourceError(
                    code: .malformed, path: name,
                    sentence: "Firebase's list of versions repeats; retry later")
            }
        } while pageToken != nil && versions.count < count
        return Array(versions.prefix(count))
    }

    /// Publishes a draft as the newest version, or validates it.
    ///
    /// - Parameter isTrial: whether Firebase only validates the draft.
    /// - Throws: why the draft was not published. If there was no response, read the template to see whether the draft
    ///   was published.
    package func publish(
        _ draft: TemplateDraft, _ client: SourceClient, isTrial: Bool = false
    ) async throws(SourceError) -> Publication {
        do throws(SourceError) {
            // No retry: if the response was lost, the request may have succeeded.
            let response = try await authorization.send(client.withoutRetries, of: name) {
                publishRequest($0, draft, isTrial: isTrial)
            }
            return .published(try parse(response))
        } catch {
            // 412: the ETag does not match. 409: two requests at the same moment.
            guard error.status == 412 || error.status == 409 else { throw error }
            return .stale(
                SourceError(
                    code: .rejected, path: name,
                    sentence: "a newer version of the template was published in the meantime; check it first"
                ))
        }
    }

    /// Reads a template for evaluation. The request for the newest server template is that of firebase-admin.
    func response(_ client: SourceClient, version: Int?, since etag: String?) async throws(SourceError)
        -> SourceResponse
    {
        try await naming(version) { () throws(SourceError) in
            try await authorization.send(client, of: name) { token in
                namespace == .server && version == nil
                    ? serverTemplateRequest(token, since: etag) : templateRequest(token, version: version, since: etag)
            }
        }
    }

    /// Sends a request for a template. If Firebase has nothing there, the error names the version, if the request does.
    private func naming(
        _ version: Int?, _ send: () async throws(SourceError) -> SourceResponse
    ) async throws(SourceError) -> SourceResponse {
        do throws(SourceError) {
            return try await send()
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
        return try SourceError.reading(name) { () throws(DocumentError) in try TemplateResponse(response) }
    }
}
