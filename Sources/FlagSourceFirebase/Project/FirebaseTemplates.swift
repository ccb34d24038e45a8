import FlagModel
public import FlagRemote

/// The templates of a project, read and published with credentials. It keeps nothing but the token.
///
/// ```swift
/// let account = try ServiceAccount(path: "service-account.json")
/// let templates = try FirebaseTemplates(of: "shop", authorization: FirebaseAuthorization(.serviceAccount(account)))
/// var draft = try TemplateDraft(try await templates.template(client))
/// try draft.set("new_menu", to: "true")
/// if case .published(let answer) = try await templates.publish(draft, client) { … }
/// ```
public struct FirebaseTemplates: Sendable {
    /// What came of publishing.
    public enum Publication: Sendable {
        /// It is the newest version now; after a trial it could be.
        case published(TemplateAnswer)
        /// Somebody else has published since the draft's template was read, which the error says. Read it again.
        case stale(SourceError)
    }

    /// More pages than this make no list of versions: Firebase keeps 300.
    private static let pageLimit = 100

    /// The project, without its token.
    private let project: FirebaseProject
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
        of id: String, namespace: FirebaseProject.Namespace = .client, authorization: FirebaseAuthorization,
        address: String? = nil
    ) throws(SourceError) {
        let name = "firebase:\(RedactedURL.text(id))"
        guard !id.isEmpty, id.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "/") }) else {
            throw SourceError(
                code: .rejected, path: name,
                sentence: "a project is named by its id, as the Firebase console shows it, such as firebase:my-shop")
        }
        guard
            let project = FirebaseProject(
                id: id, namespace: namespace, accessToken: Secret(""), address: address),
            project.baseURL.userInfo == nil, project.baseURL.query == nil
        else {
            // It may hold a credential, so that it is not shown.
            throw SourceError(
                code: .rejected, path: name,
                sentence: "the address in place of Firebase's own is none; it begins with https:// or http:// and "
                    + "holds no user, no password and no query")
        }
        self.project = project
        self.authorization = authorization
    }

    /// The project's id.
    public var projectID: String { project.id }
    /// Which of its templates.
    public var namespace: FirebaseProject.Namespace { project.namespace }
    /// The name that messages use.
    public var name: String { project.name }
    /// Where the service is.
    public var baseURL: SourceURL { project.baseURL }

    /// Reads a template with all that publishing it back takes.
    ///
    /// - Parameter version: its number; `nil` for the newest.
    public func template(_ client: SourceClient, version: Int? = nil) async throws(SourceError) -> TemplateAnswer {
        try answer(try await send(client) { $0.templateRequest(version: version) })
    }

    /// Lists the versions that Firebase keeps, the newest first, page after page.
    ///
    /// - Parameters:
    ///   - newest: no newer ones than this number.
    ///   - count: at most so many.
    public func versions(
        _ client: SourceClient, newest: Int? = nil, count: Int = 300
    ) async throws(SourceError) -> [TemplateVersion] {
        var versions: [TemplateVersion] = []
        var (token, known) = (String?.none, Set<String>())
        repeat {
            let size = min(count - versions.count, 300)
            let response = try await send(client) { [token] in
                $0.versionsRequest(pageSize: size, pageToken: token, newest: newest)
            }
            let page = try read(response) { response throws(DocumentError) in try VersionPage(response) }
            versions += page.versions
            token = page.nextPageToken
            guard token.map({ known.insert($0).inserted }) ?? true, known.count < Self.pageLimit else {
                throw SourceError(
                    code: .malformed, path: name,
                    sentence: "Firebase's list of versions goes on where it has been before; ask again later")
            }
        } while token != nil && versions.count < count
        return Array(versions.prefix(count))
    }

    /// Makes a draft the newest version, or finds out whether that could be done.
    ///
    /// - Parameter isTrial: whether Firebase only checks it.
    /// - Throws: why it does not become one. Where no answer came it may have become one: read the template.
    public func publish(
        _ draft: TemplateDraft, _ client: SourceClient, isTrial: Bool = false
    ) async throws(SourceError) -> Publication {
        var isStale = false
        do throws(SourceError) {
            let response = try await send(Self.once(client), isStale: &isStale) {
                $0.publishRequest(draft, isTrial: isTrial)
            }
            return .published(try answer(response))
        } catch {
            guard isStale else { throw error }
            return .stale(
                SourceError(
                    code: .rejected, path: name,
                    sentence: "somebody has published a newer version of the template in the meantime; look at it first"
                ))
        }
    }

    /// Reads the template as a source does: that for servers in the form that firebase-admin reads.
    func response(_ client: SourceClient, version: Int?, since etag: String?) async throws(SourceError)
        -> SourceResponse
    {
        try await send(client) { project in
            project.namespace == .server && version == nil
                ? project.serverTemplateRequest(since: etag) : project.templateRequest(version: version, since: etag)
        }
    }

    /// A client that asks once: of an order whose answer was lost nobody knows whether it was carried out.
    private static func once(_ client: SourceClient) -> SourceClient {
        var client = client
        client.retry = .none
        return client
    }

    private func send(
        _ client: SourceClient, _ request: (FirebaseProject) -> SourceRequest
    ) async throws(SourceError) -> SourceResponse {
        var isStale = false
        return try await send(client, isStale: &isStale, request)
    }

    private func send(
        _ client: SourceClient, isStale: inout Bool, _ request: (FirebaseProject) -> SourceRequest
    ) async throws(SourceError) -> SourceResponse {
        var found = false
        defer { isStale = found }
        return try await authorization.send(
            client, of: name,
            detail: { response in
                found = FirebaseRefusal.isStale(response)
                return FirebaseRefusal.detail(response)
            }, { request(project.with($0)) })
    }

    private func answer(_ response: SourceResponse) throws(SourceError) -> TemplateAnswer {
        _ = try SourceAnswer(response, since: nil, of: name)
        return try read(response) { response throws(DocumentError) in try TemplateAnswer(response) }
    }

    private func read<Value>(
        _ response: SourceResponse, _ reader: (SourceResponse) throws(DocumentError) -> Value
    ) throws(SourceError) -> Value {
        do throws(DocumentError) {
            return try reader(response)
        } catch {
            throw SourceError(error, of: name)
        }
    }
}
