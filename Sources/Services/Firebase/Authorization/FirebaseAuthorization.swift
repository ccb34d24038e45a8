import FlagModel
public import FlagRemote
import Synchronization

/// Authenticates requests with a given token, or with tokens that it requests for a service account or a user when
/// needed. A requested token is used until a minute before it expires.
public final class FirebaseAuthorization: Sendable {
    /// The token, or the account for which tokens are requested.
    public let credentials: FirebaseCredentials
    /// The project whose quota the requests use. If it is `nil`, requests use the quota of the project of the service
    /// account or the token. For a user, they then use the quota of the requested project.
    public let quotaProject: String?
    private let cachedToken = Mutex<OAuthToken?>(nil)

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
    func quotaHeader(for project: String) -> String? {
        if case .user = credentials { quotaProject ?? project } else { quotaProject }
    }

    /// A valid token.
    ///
    /// - Parameters:
    ///   - client: sends a request to the token service, if necessary.
    ///   - source: the source's name in errors.
    /// - Throws: why there is no token.
    public func token(_ client: SourceClient, of source: String) async throws(SourceError) -> Secret {
        let requester: any TokenRequester
        switch credentials {
        case .token(let secret): return secret
        case .serviceAccount(let account): requester = account
        case .user(let user): requester = user
        }
        let now = client.clock.now()
        if let secret = cachedToken.withLock({ $0.flatMap { $0.isGood(at: now) ? $0.secret : nil } }) { return secret }
        return try await newToken(from: requester, client, source)
    }

    /// Sends a request with a token. If the service no longer accepts the token, retries with a new one.
    ///
    /// - Parameters:
    ///   - client: sends the request.
    ///   - source: the source's name in errors.
    ///   - request: makes the request with a token.
    /// - Returns: a response with a status of 2xx, or 304.
    /// - Throws: why there is no response.
    public func send(
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
        cachedToken.withLock { cached in if cached?.secret == token { cached = nil } }
        return try await client.send(
            request(try await self.token(client, of: source)), detail: FirebaseServiceError.detail)
    }

    private func newToken(
        from requester: any TokenRequester, _ client: SourceClient, _ source: String
    ) async throws(SourceError) -> Secret {
        let request = try requester.tokenRequest(at: client.clock.now(), source: source)
        var rejection: SourceError?
        let response: SourceResponse
        do throws(SourceError) {
            response = try await client.send(request) { response in
                rejection = requester.error(in: response, of: source)
                return nil
            }
        } catch {
            throw rejection ?? error
        }
        // The request named no version, so 304 is an error.
        _ = try FetchResult(response, since: nil, of: source)
        // Masked, as errors may quote the response.
        let token = try SourceError.reading(source) { () throws(DocumentError) in
            try OAuthToken(request.masking(response), now: client.clock.now())
        }
        cachedToken.withLock { $0 = token }
        return token.secret
    }
}

extension FirebaseAuthorization: CustomStringConvertible, CustomReflectable {
    /// The credentials, without secrets.
    public var description: String {
        switch credentials {
        case .token: "access token \(Secret.mask)"
        case .serviceAccount(let account): "service account \(account.email)"
        case .user: "user of gcloud"
        }
    }
    /// A mirror of the description.
    public var customMirror: Mirror { Mirror(self, children: ["credentials": description]) }
}
