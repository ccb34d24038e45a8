import FlagModel
public import FlagRemote

/// Authenticates requests with a given token, or with tokens that it requests for a service account or a user when
/// needed. A requested token is used until a minute before it expires.
public actor FirebaseAuthorization {
    /// The token, or the account for which tokens are requested.
    public nonisolated let credentials: FirebaseCredentials
    /// The project whose quota the requests use. If it is `nil`, requests use the quota of the project of the service
    /// account or the token. For a user, they then use the quota of the requested project.
    public nonisolated let quotaProject: String?
    private var cachedToken: ExpiringToken?

    /// An authorization that has sent no request yet.
    ///
    /// - Parameter quotaProject: the project whose quota the requests use; `nil` for the project that the credentials
    ///   name.
    public init(_ credentials: FirebaseCredentials, quotaProject: String? = nil) {
        self.credentials = credentials
        self.quotaProject = quotaProject ?? credentials.quotaProject
    }

    /// The header with the project whose quota a request uses. Firebase rejects a user's request without this header
    /// (Google Cloud's page "Set the quota project"). For a user without a quota project, the header names the project
    /// that the request is for.
    ///
    /// - Parameter project: the project that the request is for.
    nonisolated func quotaHeader(for project: String) -> String? {
        if case .user = credentials { quotaProject ?? project } else { quotaProject }
    }

    /// A valid token.
    ///
    /// - Parameters:
    ///   - client: sends a request to the token service, if necessary.
    ///   - source: the source's name in errors.
    ///   - rejected: a token that the service no longer accepts; `nil` for none.
    /// - Throws: why there is no token.
    public func token(
        _ client: SourceClient, of source: String, otherThan rejected: Secret? = nil
    ) async throws(SourceError) -> Secret {
        let now = client.clock.now()
        if let cachedToken, cachedToken.secret != rejected, cachedToken.isGood(at: now) { return cachedToken.secret }
        let request: TokenRequest
        switch credentials {
        case .token(let secret): return secret
        case .serviceAccount(let account): request = try account.tokenRequest(at: now, source: source)
        case .user(let user): request = user.tokenRequest
        }
        let token = try await request.send(client, of: source)
        cachedToken = token
        return token.secret
    }

    /// Sends a request with a token. If the service no longer accepts the token, retries with a new one.
    ///
    /// - Parameters:
    ///   - client: sends the request.
    ///   - source: the source's name in errors.
    ///   - request: makes the request with a token.
    /// - Returns: a response with a status of 2xx, or 304.
    /// - Throws: why there is no response.
    public nonisolated func send(
        _ client: SourceClient, of source: String, _ request: (Secret) -> SourceRequest
    ) async throws(SourceError) -> SourceResponse {
        let token = try await token(client, of: source)
        do throws(SourceError) {
            return try await client.send(request(token), detail: FirebaseServiceError.detail)
        } catch {
            guard error.status == 401 else { throw error }
            if case .token = credentials { throw error }
        }
        // The token was revoked, or the clocks differ by more than the margin.
        let newToken = try await self.token(client, of: source, otherThan: token)
        return try await client.send(request(newToken), detail: FirebaseServiceError.detail)
    }
}

/// Credentials to read and publish the templates of a project.
public enum FirebaseCredentials: Sendable {
    /// A Google access token, as `gcloud auth print-access-token` prints it. It expires after an hour.
    case token(Secret)
    /// A service account, with which access tokens are requested.
    case serviceAccount(ServiceAccount)
    /// A user who logged in with gcloud, for whom access tokens are requested.
    case user(AuthorizedUser)

    /// The size limit of a file with credentials, in bytes. A service account's file has about 2,400.
    private static let sizeLimit = 64 << 10

    /// Reads Google's application default credentials: the key file of a service account, or the file of a user that
    /// `gcloud auth application-default login` writes.
    ///
    /// - Throws: why the file cannot be read, or why its content is not valid.
    public init(path: String) throws(SourceError) {
        let root = try Self.root(ofFile: path)
        self =
            root["type"]?.text == "authorized_user"
            ? .user(try AuthorizedUser(root, path: path)) : .serviceAccount(try ServiceAccount(root, path: path))
    }

    /// The JSON of a file with credentials.
    static func root(ofFile path: String) throws(SourceError) -> JSONValue {
        try root(of: try SourceFileBytes(path: path, limit: sizeLimit).bytes, path: path)
    }

    /// The JSON of the content of a file with credentials.
    static func root(of bytes: [UInt8], path: String) throws(SourceError) -> JSONValue {
        try SourceError.reading(path, value: try JSONDocument(document: bytes).root)
    }

    /// The project whose quota requests use; `nil` if the credentials name none.
    var quotaProject: String? {
        if case .user(let user) = self { user.quotaProject } else { nil }
    }
}

/// A user's Google account, from the file that `gcloud auth application-default login` writes: a refresh token, with
/// which access tokens are requested.
public struct AuthorizedUser: Sendable {
    /// The project whose quota the requests use; `nil` if the file names none.
    public let quotaProject: String?
    /// The request for an access token (RFC 6749, section 6).
    let tokenRequest: TokenRequest

    /// Reads the members of the file.
    ///
    /// - Parameters:
    ///   - root: the file's JSON.
    ///   - path: the file's path in errors.
    /// - Throws: what is missing, without any part of the tokens.
    init(_ root: JSONValue, path: String) throws(SourceError) {
        guard let clientID = root.nonEmpty("client_id"), let clientSecret = root.nonEmpty("client_secret"),
            let refreshToken = root.nonEmpty("refresh_token")
        else {
            throw SourceError(
                .malformed, of: path,
                "\"client_id\", \"client_secret\" or \"refresh_token\" is missing; write the file again with "
                    + "\"gcloud auth application-default login\"")
        }
        quotaProject = root.nonEmpty("quota_project_id")
        tokenRequest = TokenRequest(
            url: try TokenRequest.url(root.nonEmpty("token_uri"), path: path),
            form: [
                ("grant_type", Secret("refresh_token")), ("client_id", Secret(clientID)),
                ("client_secret", Secret(clientSecret)), ("refresh_token", Secret(refreshToken)),
            ], account: "the user of gcloud", remedy: "log in again with \"gcloud auth application-default login\"")
    }
}
