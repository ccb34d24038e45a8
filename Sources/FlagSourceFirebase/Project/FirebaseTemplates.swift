package import FlagFormats
import FlagModel
public import FlagRemote

/// The templates of a project, read and published with credentials. Its only state is the token.
public struct FirebaseTemplates: Sendable {
    /// Firebase's own URL.
    package static let address = "https://firebaseremoteconfig.googleapis.com"

    /// The namespace of a template's conditions.
    public enum Namespace: String, Sendable, Hashable {
        /// Expressions that Firebase evaluates for clients.
        case client = "firebase"
        /// Trees that servers evaluate.
        case server = "firebase-server"
    }

    /// The result of publishing.
    package enum Publication: Sendable {
        /// It is the newest version now; after a validation it could be.
        case published(TemplateAnswer)
        /// Someone else has published since the draft's template was read, as the error says. Read it again.
        case stale(SourceError)
    }

    /// More pages than this are not a list of versions: Firebase stores 300.
    private static let pageLimit = 100

    /// The project's id.
    public let projectID: String
    /// The namespace of the template.
    public let namespace: Namespace
    /// The URL of the service.
    public let baseURL: SourceURL
    /// The authorization.
    public let authorization: FirebaseAuthorization

    /// The templates of a project.
    ///
    /// - Parameters:
    ///   - id: the project's id.
    ///   - namespace: client or server templates.
    ///   - address: a URL in place of Firebase's, for tests.
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
            // It may be a credential, so it is not shown.
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

    /// The name that messages use.
    public var name: String { Self.name(of: projectID) }

    private static func name(of id: String) -> String { "firebase:\(RedactedURL.text(id))" }

    /// Reads a template with everything that publishing it back needs.
    ///
    /// - Parameter version: its number; `nil` for the newest.
    package func template(_ client: SourceClient, version: Int? = nil) async throws(SourceError) -> TemplateAnswer {
        try answer(try await authorization.send(client, of: name) { templateRequest($0, version: version) })
    }

    /// Lists the versions that Firebase stores, the newest first, page by page.
    ///
    /// - Parameters:
    ///   - newest: no versions above this number.
    ///   - count: the most versions.
    package func versions(
        _ client: SourceClient, newest: Int? = nil, count: Int = 300
    ) async throws(SourceError) -> [TemplateVersion] {
        var versions: [TemplateVersion] = []
        var (place, known) = (String?.none, Set<String>())
        repeat {
            let size = min(count - versions.count, 300)
            let response = try await authorization.send(client, of: name) { [place] in
                versionsRequest($0, pageSize: size, pageToken: place, newest: newest)
            }
            let page = try SourceError.reading(name) { () throws(DocumentError) in try VersionPage(response) }
            versions += page.versions
            place = page.nextPageToken
            guard place.map({ known.insert($0).inserted }) ?? true, known.count < Self.pageLimit else {
                throw SourceError(
                    code: .malformed, path: name,
                    sentence: "Firebase's list of versions repeats; retry later")
            }
        } while place != nil && versions.count < count
        return Array(versions.prefix(count))
    }

    /// Publishes a draft as the newest version, or validates it.
    ///
    /// - Parameter isTrial: whether Firebase only validates it.
    /// - Throws: why it is not published. If there was no response it may have been published: read the template.
    package func publish(
        _ draft: TemplateDraft, _ client: SourceClient, isTrial: Bool = false
    ) async throws(SourceError) -> Publication {
        do throws(SourceError) {
            // No retry: if the response was lost, the request may have succeeded.
            let response = try await authorization.send(client.withoutRetries, of: name) {
                publishRequest($0, draft, isTrial: isTrial)
            }
            return .published(try answer(response))
        } catch {
            // An ETag that does not match, or two requests at the same moment.
            guard error.status == 412 || error.status == 409 else { throw error }
            return .stale(
                SourceError(
                    code: .rejected, path: name,
                    sentence: "a newer version of the template was published in the meantime; check it first"
                ))
        }
    }

    /// Reads the template as a source does: a server template in the format that firebase-admin reads.
    func response(_ client: SourceClient, version: Int?, since etag: String?) async throws(SourceError)
        -> SourceResponse
    {
        try await authorization.send(client, of: name) { token in
            namespace == .server && version == nil
                ? serverTemplateRequest(token, since: etag) : templateRequest(token, version: version, since: etag)
        }
    }

    private func answer(_ response: SourceResponse) throws(SourceError) -> TemplateAnswer {
        _ = try SourceAnswer(response, since: nil, of: name)
        return try SourceError.reading(name) { () throws(DocumentError) in try TemplateAnswer(response) }
    }
}
