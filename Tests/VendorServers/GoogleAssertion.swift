import Crypto
import CryptoExtras
import FlagModel
import FlagRemote

/// What a service account hands in for a token (RFC 7523): claims, signed. Written from Google's page "Using OAuth 2.0 for
/// Server to Server Applications" alone, without a look at whoever signs.
struct GoogleAssertion {
    /// Whom all assertions are for.
    private static let audience = "https://oauth2.googleapis.com/token"
    /// The longest life that is taken, and how far clocks may differ, in seconds.
    private static let (longestLife, tolerance) = (Int64(3_600), Int64(300))
    private static let scopes = [
        "https://www.googleapis.com/auth/firebase.remoteconfig", "https://www.googleapis.com/auth/cloud-platform",
    ]

    private let header: JSONValue
    private let claims: JSONValue
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Takes an assertion apart; `nil` where it is none.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // Without padding, as RFC 7515 has it.
        guard parts.count == 3, !text.contains("="), let signature = Base64Text.bytes(parts[2]),
            let header = Self.object(parts[0]), let claims = Self.object(parts[1])
        else { return nil }
        (self.header, self.claims, self.signature) = (header, claims, signature)
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ text: String) -> JSONValue? {
        Base64Text.bytes(text).flatMap { try? JSONDocument(parsing: $0).root }
    }

    /// Why no token is given for it, in the words of Google's service; `nil` where one is.
    func rejection(
        account: String, keyID: String, publicKey: _RSA.Signing.PublicKey, now: Timestamp
    ) -> (error: String, details: String)? {
        guard header["alg"]?.text == "RS256", header["typ"].map({ $0.text == "JWT" }) ?? true else {
            return ("invalid_grant", "Invalid JWT: the header is not that of RS256.")
        }
        guard claims["iss"]?.text == FlagText(account) else {
            return ("invalid_grant", "Invalid grant: account not found")
        }
        guard header["kid"].map({ $0.text == FlagText(keyID) }) ?? true, isSigned(by: publicKey) else {
            return ("invalid_grant", "Invalid JWT Signature.")
        }
        guard claims["aud"]?.text == FlagText(Self.audience) else {
            return ("invalid_grant", "Invalid JWT: the audience is another one.")
        }
        guard isTimely(now) else {
            return (
                "invalid_grant",
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                    + "Check your iat and exp values in the JWT claim."
            )
        }
        let wanted = claims["scope"]?.text?.string.split(separator: " ").map(String.init) ?? []
        guard wanted.contains(where: Self.scopes.contains) else {
            return ("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
        }
        return nil
    }

    private func isSigned(by key: _RSA.Signing.PublicKey) -> Bool {
        key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: signed),
            padding: .insecurePKCS1v1_5)
    }

    private func isTimely(_ now: Timestamp) -> Bool {
        guard let made = claims["iat"].flatMap({ Int64($0.source) }),
            let end = claims["exp"].flatMap({ Int64($0.source) })
        else { return false }
        return end - made <= Self.longestLife && made <= now.seconds + Self.tolerance && end > now.seconds
    }
}
