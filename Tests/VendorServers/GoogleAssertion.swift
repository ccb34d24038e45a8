#if Network
import Crypto
import CryptoExtras
import FlagModel
import FlagRemote

/// The signed claims that a service account sends for a token (RFC 7523). Written from Google's page "Using OAuth 2.0
/// for Server to Server Applications" only, independent of the code under test.
struct GoogleAssertion {
    /// The maximum lifetime and the allowed clock difference, in seconds.
    private static let (longestLife, tolerance) = (Int64(3_600), Int64(300))

    private let header: JSONValue
    private let claims: JSONValue
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Parses an assertion; `nil` if it is malformed.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // Without padding, as RFC 7515 requires.
        guard parts.count == 3, !text.contains("="), let signature = Base64Text.bytes(parts[2]),
            let header = Self.object(parts[0]), let claims = Self.object(parts[1])
        else { return nil }
        (self.header, self.claims, self.signature) = (header, claims, signature)
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ text: String) -> JSONValue? {
        Base64Text.bytes(text).flatMap { try? JSONDocument(parsing: $0).root }
    }

    /// The reason why no token is issued, in the words of Google's service; `nil` if the assertion is valid.
    func rejection(
        account: String, keyID: String, publicKey: _RSA.Signing.PublicKey, now: FlagTimestamp
    ) -> String? {
        guard claims["iss"]?.text == FlagText(account) else { return "Invalid grant: account not found" }
        guard header["kid"].map({ $0.text == FlagText(keyID) }) ?? true, isSigned(by: publicKey) else {
            return "Invalid JWT Signature."
        }
        return hasValidTimes(now)
            ? nil
            : "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                + "Check your iat and exp values in the JWT claim."
    }

    private func isSigned(by key: _RSA.Signing.PublicKey) -> Bool {
        key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: signed),
            padding: .insecurePKCS1v1_5)
    }

    private func hasValidTimes(_ now: FlagTimestamp) -> Bool {
        guard let issuedAt = claims["iat"].flatMap({ Int64($0.source) }),
            let expiresAt = claims["exp"].flatMap({ Int64($0.source) })
        else { return false }
        return expiresAt - issuedAt <= Self.longestLife && issuedAt <= now.seconds + Self.tolerance
            && expiresAt > now.seconds
    }
}
#endif
