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
