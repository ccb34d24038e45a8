import FlagModel
public import FlagRemote
import Synchronization

/// Lets somebody in: with a token that was given, or with tokens that a service account gets as they are needed. One token
/// is used until a minute before its end, and however many ask at once, only one asks for it.
public final class FirebaseAuthorization: Sendable {
    /// What the tokens come from.
    public let credentials: FirebaseCredentials
    private let known = Mutex<AccessToken?>(nil)
    private let question = SharedQuestion<Secret>()

    /// An authorization that has asked nothing yet.
    public init(_ credentials: FirebaseCredentials) { self.credentials = credentials }

    /// A token that is good now.
    ///
    /// - Parameters:
    ///   - client: what asks the token service, where that has to be asked.
    ///   - source: who needs it, as messages name it.
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

    /// Asks with a token, and where the service does not know that any more, once more with a new one.
    ///
    /// - Parameters:
    ///   - client: what asks.
    ///   - source: who asks, as messages name it.
    ///   - request: the question with a token.
    /// - Returns: an answer with a status of 2xx, or 304.
    /// - Throws: why there is none.
    public func send(
        _ client: SourceClient, of source: String, _ request: (Secret) -> SourceRequest
    ) async throws(SourceError) -> SourceResponse {
        let token = try await token(client, of: source)
        do throws(SourceError) {
            return try await client.send(request(token), detail: FirebaseRefusal.detail)
        } catch {
            guard error.status == 401, case .serviceAccount = credentials else { throw error }
        }
        // Somebody has revoked it, or the clocks differ by more than that minute.
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
        // Nobody asked for changes, so that 304 is no answer.
        _ = try SourceAnswer(response, since: nil, of: source)
        // What is wrong with it may be told in its own words.
        let token = try SourceError.reading(source) { () throws(DocumentError) in
            try AccessToken(request.masking(response), now: client.clock.now())
        }
        known.withLock { $0 = token }
        return token.secret
    }
}

extension FirebaseAuthorization: CustomStringConvertible, CustomReflectable {
    /// What the tokens come from, without secrets.
    public var description: String {
        switch credentials {
        case .token: "access token \(Secret.mask)"
        case .serviceAccount(let account): account.description
        }
    }
    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["credentials": description]) }
}
