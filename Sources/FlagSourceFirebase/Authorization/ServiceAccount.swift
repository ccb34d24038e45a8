import FlagModel
public import FlagRemote

/// A service account of Google Cloud, from the JSON file that its console offers for download: a name and a key that signs
/// for it.
public struct ServiceAccount: Sendable {
    /// The longest file that is read, in bytes; one has about 2,400.
    private static let sizeLimit = 64 << 10
    /// What is asked for: to read and publish templates, and nothing else.
    public static let scope = "https://www.googleapis.com/auth/firebase.remoteconfig"
    /// How long an assertion holds, in seconds; Google takes an hour at most.
    static let lifetime: Int64 = 3_600
    /// Where Google gives tokens to accounts whose file does not say, and whom assertions are for whatever it says, as in
    /// Google's own libraries.
    private static let audience = "https://oauth2.googleapis.com/token"

    /// The project that it belongs to, where the file says so.
    public let projectID: String?
    /// Its name, an address of e-mail.
    public let email: String
    /// Where it gets tokens.
    public let tokenURL: SourceURL
    private let keyID: String?
    private let key: SigningKey

    /// Reads the content of the file.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - path: the file, as messages name it.
    /// - Throws: what is missing or cannot be used. Nothing of the key is in it.
    public init(parsing bytes: [UInt8], path: String = "service account") throws(SourceError) {
        func failure(_ sentence: String) -> SourceError {
            SourceError(code: .malformed, path: path, sentence: sentence)
        }
        let root = try SourceError.reading(path) { () throws(DocumentError) in try JSONDocument(document: bytes).root }
        func text(_ name: String) -> String? { root[name]?.text.flatMap { $0.isEmpty ? nil : $0.string } }
        if let type = text("type"), type != "service_account" {
            throw failure(
                "these are credentials of the type \(JSONOutput.quoted(type, limit: 60)); a service account is "
                    + "needed, from the Firebase console: Project settings, Service accounts")
        }
        guard let email = text("client_email"), let pem = text("private_key") else {
            throw failure(
                "there is no \"client_email\" or no \"private_key\"; is this the key file of a service account?")
        }
        guard let url = SourceURL(text("token_uri") ?? Self.audience), Self.isSafe(url) else {
            throw failure("its \"token_uri\" is not an https URL; download the file again")
        }
        key = try SigningKey(pem: pem, path: path)
        projectID = text("project_id")
        self.email = email
        tokenURL = url
        keyID = text("private_key_id")
    }

    /// Reads the file.
    ///
    /// - Throws: why it cannot be read, or what is wrong with its content.
    public init(path: String) throws(SourceError) {
        try self.init(parsing: try SourceFileBytes(path: path, limit: Self.sizeLimit).bytes, path: path)
    }

    /// Whoever gets an assertion can use it: it goes over TLS, or stays on this machine.
    private static func isSafe(_ url: SourceURL) -> Bool { url.isSecure || url.isLoopback }

    /// A text that says who asks for what, signed, to be exchanged for a token: a JSON Web Token (RFC 7523) with the claims
    /// of Google's page "Using OAuth 2.0 for Server to Server Applications", signed as RS256 (RFC 7518, section 3.3).
    ///
    /// - Throws: that it cannot be signed.
    func assertion(at now: Timestamp, source: String) throws(SourceError) -> Secret {
        let header = [("alg", "RS256"), ("typ", "JWT")] + (keyID.map { [("kid", $0)] } ?? [])
        let claims = JSONOutput.object([
            ("iss", .string(email)), ("scope", .string(Self.scope)), ("aud", .string(Self.audience)),
            ("iat", .raw("\(now.seconds)")), ("exp", .raw("\(now.seconds + Self.lifetime)")),
        ])
        let signed = [JSONOutput.object(header.map { ($0, .string($1)) }), claims]
            .map { Base64Text.urlText($0.text(indented: false).utf8, padded: false) }
            .joined(separator: ".")
        guard let signature = key.signature(of: signed) else {
            throw SourceError(
                code: .unreadable, path: source,
                sentence: "the token request could not be signed; check that the service account's file is complete")
        }
        return Secret("\(signed).\(Base64Text.urlText(signature, padded: false))")
    }
}

extension ServiceAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The account's name and nothing of its key.
    public var description: String { "service account \(email)" }
    /// The same.
    public var debugDescription: String { description }
    /// A mirror that shows what the description does.
    public var customMirror: Mirror { Mirror(self, children: ["account": description]) }
}
