import FlagModel
public import FlagRemote

#if Network
import Crypto
import CryptoExtras
#endif

/// A service account of Google Cloud: a name and a signing key, from the JSON file that the console offers for
/// download.
public struct ServiceAccount: Sendable {
    /// The requested scope: reading and publishing templates only.
    public static let scope = "https://www.googleapis.com/auth/firebase.remoteconfig"
    /// The lifetime of an assertion, in seconds; Google accepts at most an hour.
    static let lifetime: Int64 = 3_600

    /// The account's name, an e-mail address.
    public let email: String
    /// The URL of the token service.
    public let tokenURL: SourceURL
    private let keyID: String?
    /// Signs a text with the account's RSA key as RS256 (RFC 7518, section 3.3); `nil` if signing fails.
    private let signature: @Sendable (_ text: String) -> [UInt8]?

    /// Parses the content of the file.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - path: the file's path in errors.
    /// - Throws: what is missing or invalid, without any part of the key.
    public init(parsing bytes: [UInt8], path: String = "service account") throws(SourceError) {
        try self.init(try FirebaseCredentials.root(of: bytes, path: path), path: path)
    }

    /// Reads the members of the file.
    init(_ root: JSONValue, path: String) throws(SourceError) {
        func failure(_ sentence: String) -> SourceError {
            SourceError(.malformed, of: path, sentence)
        }
        if let type = root.nonEmpty("type"), type != "service_account" {
            throw failure(
                "these are credentials of the type \(JSONOutput.quoted(type, limit: 60)); a service account is "
                    + "needed, from the Firebase console: Project settings, Service accounts")
        }
        guard let email = root.nonEmpty("client_email"), let pem = root.nonEmpty("private_key") else {
            throw failure(
                "\"client_email\" or \"private_key\" is missing; is this the key file of a service account?")
        }
        tokenURL = try TokenRequest.url(root.nonEmpty("token_uri"), path: path)
        self.email = email
        keyID = root.nonEmpty("private_key_id")
        signature = try Self.signature(pem: pem, path: path)
    }

    /// Signs with a key in PEM.
    ///
    /// - Throws: why the key is not valid; the error contains no part of the key.
    private static func signature(pem: String, path: String) throws(SourceError) -> @Sendable (String) -> [UInt8]? {
        #if Network
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else {
            throw SourceError(
                .malformed, of: path,
                "its \"private_key\" is not a PEM RSA key of 2048 bits or more; download the file again")
        }
        return { text in
            let signature = try? key.signature(for: SHA256.hash(data: Array(text.utf8)), padding: .insecurePKCS1v1_5)
            return signature.map { Array($0.rawRepresentation) }
        }
        #else
        throw .notCompiledIn(path)
        #endif
    }

    /// Reads the file.
    ///
    /// - Throws: why the file cannot be read, or why its content is not valid.
    public init(path: String) throws(SourceError) {
        try self.init(try FirebaseCredentials.root(ofFile: path), path: path)
    }

    /// A signed assertion that is exchanged for a token: a JSON Web Token (RFC 7523) with the claims of Google's page
    /// "Using OAuth 2.0 for Server to Server Applications".
    private func assertion(at now: FlagTimestamp, source: String) throws(SourceError) -> Secret {
        let header = [("alg", "RS256"), ("typ", "JWT")] + (keyID.map { [("kid", $0)] } ?? [])
        let claims = JSONOutput.object([
            ("iss", .string(email)), ("scope", .string(Self.scope)), ("aud", .string(TokenRequest.standardURL)),
            ("iat", .raw("\(now.seconds)")), ("exp", .raw("\(now.seconds + Self.lifetime)")),
        ])
        let signed = [JSONOutput.object(header.map { ($0, .string($1)) }), claims]
            .map { Base64Text.urlText($0.text(indented: false).utf8, padded: false) }
            .joined(separator: ".")
        guard let signature = signature(signed) else {
            throw SourceError(
                .unreadable, of: source,
                "the token request could not be signed; check that the service account's file is complete")
        }
        return Secret("\(signed).\(Base64Text.urlText(signature, padded: false))")
    }

    /// The request that exchanges an assertion for a token (RFC 7523, section 2.1).
    ///
    /// - Throws: an error if the assertion cannot be signed.
    func tokenRequest(at now: FlagTimestamp, source: String) throws(SourceError) -> TokenRequest {
        let assertion = try assertion(at: now, source: source)
        return TokenRequest(
            url: tokenURL,
            form: [
                ("grant_type", Secret("urn:ietf:params:oauth:grant-type:jwt-bearer")), ("assertion", assertion),
            ], account: "the service account \(email)",
            remedy: "check this machine's clock, and check in the Google Cloud console that the account and its key "
                + "still exist")
    }
}
