import FlagModel
public import FlagRemote
import Synchronization

/// Authenticates requests with a given token, or with tokens that a service account requests when they are needed. A
/// token is used until a minute before it expires, and concurrent callers share one request for it.
public final class FirebaseAuthorization: Sendable {
    /// The credentials that tokens come from.
    public let credentials: FirebaseCredentials
    private let known = Mutex<AccessToken?>(nil)
    private let question = SharedQuestion<Secret>()

    /// An authorization that has sent no request yet.
    public init(_ credentials: FirebaseCredentials) { self.credentials = credentials }

    /// A valid token.
    ///
    /// - Parameters:
    ///   - client: sends requests to the token service, if necessary.
    ///   - source: the source as messages name it.
    /// - Throws: why there is none.
    public func token(_ client: SourceClient, of source: String) async throws(SourceError) -> Secret {
        switch credentials {
        case .token(let secret): return secret
        case .serviceAccount(let account):
            let now = client.clock.now()
            if let secret = known.withLock({ $0.flatMap { $0.isGood(at: now) ? $0.secret : nil } }) { return secret }
            return try await question.answer(source) { () throws(SourceError) in
                try await self.newToken(of: account, client, source)
            }
        }
    }

    /// Sends a request with a token, and retries with a new one if the service no longer accepts it.
    ///
    /// - Parameters:
    ///   - client: sends the request.
    ///   - source: the source as messages name it.
    ///   - request: makes the request with a token.
    /// - Returns: a response with a status of 2xx, or 304.
    /// - Throws: why there is no response.
    public func send(
        _ client: SourceClient, of source: String, _ request: (Secret) -> SourceRequest
    ) async throws(SourceError) -> SourceResponse {
        let token = try await token(client, of: source)
        do throws(SourceError) {
            return try await client.send(request(token), detail: FirebaseRefusal.detail)
        } catch {
            guard error.status == 401, case .serviceAccount = credentials else { throw error }
        }
        // It was revoked, or the clocks differ by more than the margin.
        known.withLock { known in if known?.secret == token { known = nil } }
        return try await client.send(
            request(try await self.token(client, of: source)), detail: FirebaseRefusal.detail)
    }

    private func newToken(
        of account: ServiceAccount, _ client: SourceClient, _ source: String
    ) async throws(SourceError) -> Secret {
        let request = account.tokenRequest(
            try account.assertion(at: client.clock.now(), source: source), source: source)
        var refusal: SourceError?
        let response: SourceResponse
        do throws(SourceError) {
            response = try await client.send(request) { response in
                refusal = account.refusal(response, of: source)
                return nil
            }
        } catch {
            throw refusal ?? error
        }
        // The request named no version, so 304 is an error.
        _ = try SourceAnswer(response, since: nil, of: source)
        // The service's own explanation may be quoted.
        let token = try SourceError.reading(source) { () throws(DocumentError) in
            try AccessToken(request.masking(response), now: client.clock.now())
        }
        known.withLock { $0 = token }
        return token.secret
    }
}

extension FirebaseAuthorization: CustomStringConvertible, CustomReflectable {
    /// The credentials, without secrets.
    public var description: String {
        switch credentials {
        case .token: "access token \(Secret.mask)"
        case .serviceAccount(let account): account.description
        }
    }
    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["credentials": description]) }
}
