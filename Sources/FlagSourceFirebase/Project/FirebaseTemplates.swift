package import FlagFormats
import FlagModel
public import FlagRemote

/// The templates of a project, read and published with credentials. It keeps nothing but the token.
public struct FirebaseTemplates: Sendable {
    /// Where Firebase itself is.
    package static let address = "https://firebaseremoteconfig.googleapis.com"

    /// Whose conditions a template has.
    public enum Namespace: String, Sendable, Hashable {
        /// Texts that Firebase evaluates for clients.
        case client = "firebase"
        /// Trees that servers evaluate themselves.
        case server = "firebase-server"
    }

    /// What came of publishing.
    package enum Publication: Sendable {
        /// It is the newest version now; after a trial it could be.
        case published(TemplateAnswer)
        /// Somebody else has published since the draft's template was read, which the error says. Read it again.
        case stale(SourceError)
    }

    /// More pages than this make no list of versions: Firebase keeps 300.
    private static let pageLimit = 100

    /// The project's id.
    public let projectID: String
    /// Which of its templates.
    public let namespace: Namespace
    /// Where the service is.
    public let baseURL: SourceURL
    /// What lets us in.
    public let authorization: FirebaseAuthorization

    /// The templates of a project.
    ///
    /// - Parameters:
    ///   - id: the project's id.
    ///   - namespace: those for clients or those for servers.
    ///   - address: another address than Firebase's, for tests.
    /// - Throws: that the id or the address is none.
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
            // It may hold a credential, so that it is not shown.
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

    /// Reads a template with all that publishing it back takes.
    ///
    /// - Parameter version: its number; `nil` for the newest.
    package func template(_ client: SourceClient, version: Int? = nil) async throws(SourceError) -> TemplateAnswer {
        try answer(try await authorization.send(client, of: name) { templateRequest($0, version: version) })
    }

    /// Lists the versions that Firebase keeps, the newest first, page after page.
    ///
    /// - Parameters:
    ///   - newest: no newer ones than this number.
    ///   - count: at most so many.
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

    /// Makes a draft the newest version, or finds out whether that could be done.
    ///
    /// - Parameter isTrial: whether Firebase only checks it.
    /// - Throws: why it does not become one. Where no answer came it may have become one: read the template.
    package func publish(
        _ draft: TemplateDraft, _ client: SourceClient, isTrial: Bool = false
    ) async throws(SourceError) -> Publication {
        do throws(SourceError) {
            // Once: of an order whose answer was lost nobody knows whether it was carried out.
            let response = try await authorization.send(client.withoutRetries, of: name) {
                publishRequest($0, draft, isTrial: isTrial)
            }
            return .published(try answer(response))
        } catch {
            // An ETag that does not match, or two at the same moment.
            guard error.status == 412 || error.status == 409 else { throw error }
            return .stale(
                SourceError(
                    code: .rejected, path: name,
                    sentence: "a newer version of the template was published in the meantime; check it first"
                ))
        }
    }

    /// Reads the template as a source does: that for servers in the form that firebase-admin reads.
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
