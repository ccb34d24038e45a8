#if Network
import Crypto
import CryptoExtras
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

// Google's sign-in.
extension LoopbackFirebase {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) async -> LoopbackReply {
        if request.path == "/token" { return giveToken(request) }
        if let reply = templateReply(to: request) { return reply }
        return apps?.reply(to: request) ?? Self.failure(404, "NOT_FOUND", "Requested entity was not found.")
    }

    func isAuthorized(_ request: LoopbackRequest) -> Bool {
        guard let header = request.headers["Authorization"], header.hasPrefix("Bearer ") else { return false }
        let offered = String(header.dropFirst(7))
        return offered == token || state.withLock { $0.tokens[offered] }.map { $0 > now() } ?? false
    }

    private func giveToken(_ request: LoopbackRequest) -> LoopbackReply {
        let form = PercentEncoding.parameters(of: String(decoding: request.body, as: UTF8.self))
        let isForm = request.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") ?? false
        let failure: (error: String, details: String)?
        switch isForm ? form["grant_type"] : nil {
        case "refresh_token" where form["client_id"] != Self.clientID || form["client_secret"] != Self.clientSecret:
            failure = ("invalid_client", "The OAuth client was not found.")
        case "refresh_token":
            failure = form["refresh_token"] == Self.refreshToken ? nil : ("invalid_grant", "Bad Request")
        case "urn:ietf:params:oauth:grant-type:jwt-bearer":
            failure = rejection(of: form["assertion"] ?? "").map { ("invalid_grant", $0) }
        case let grant: failure = ("unsupported_grant_type", "Invalid grant_type: \(grant ?? "")")
        }
        return failure.map {
            .document(["error": .string($0.error), "error_description": .string($0.details)], status: 400)
        } ?? issueToken()
    }

    private func issueToken() -> LoopbackReply {
        let moment = now()
        let token = state.withLock { state in
            state.tokenCount += 1
            let token = "ya29.loopback-\(state.tokenCount)"
            state.tokens[token] = FlagTimestamp(seconds: moment.seconds + 3_599)
            return token
        }
        return .document(["access_token": .string(token), "expires_in": 3_599, "token_type": "Bearer"])
    }

    /// The reason why no token is issued for the signed claims of a service account (RFC 7523), in the words of Google's
    /// service; `nil` if they are valid. Written from Google's page "Using OAuth 2.0 for Server to Server Applications"
    /// only, independent of the code under test.
    private func rejection(of assertion: String) -> String? {
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let bytes = parts.compactMap { Base64Text.bytes($0) }
        // Without padding, as RFC 7515 requires.
        guard parts.count == 3, bytes.count == 3, !assertion.contains("="), let header = JSONValue.parsed(bytes[0]),
            let claims = JSONValue.parsed(bytes[1])
        else { return "Invalid JWT: it is none." }
        guard claims["iss"]?.text?.string == Self.account else { return "Invalid grant: account not found" }
        let isSigned = key.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: bytes[2]),
            for: SHA256.hash(data: Array("\(parts[0]).\(parts[1])".utf8)), padding: .insecurePKCS1v1_5)
        guard isSigned, (header["kid"]?.text?.string ?? Self.keyID) == Self.keyID else {
            return "Invalid JWT Signature."
        }
        // At most for an hour, and issued by a clock that is at most 5 minutes ahead.
        guard let issuedAt = claims["iat"].flatMap({ Int64($0.source) }),
            let expiresAt = claims["exp"].flatMap({ Int64($0.source) }), expiresAt - issuedAt <= 3_600,
            issuedAt <= now().seconds + 300, expiresAt > now().seconds
        else {
            return "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                + "Check your iat and exp values in the JWT claim."
        }
        return nil
    }
}
#endif
