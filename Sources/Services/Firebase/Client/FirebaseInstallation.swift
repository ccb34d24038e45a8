import Essentials
import FlagModel
import FlagRemote

/// Firebase's identification of an app on a device: an id, a refresh token, and a token.
struct FirebaseInstallation: Sendable {
    /// How long before its expiry a token is renewed, in seconds.
    private static let margin: Int64 = 3_600
    /// The maximum accepted lifetime of a token, in seconds. Firebase's tokens are valid for a week.
    private static let longestLife: Int64 = 30 * 86_400

    /// The id.
    let id: String
    /// The token with which ``token`` is renewed.
    let refreshToken: Secret
    /// The token that authenticates the installation.
    private(set) var token: Secret
    /// When the token expires.
    private var until: FlagTimestamp
    /// When the token was received.
    private var from: FlagTimestamp

    /// Decodes the response to a registration. An id in the response takes precedence over the requested id.
    ///
    /// - Throws: why the response is not valid.
    init(_ response: SourceResponse, requested id: String, now: FlagTimestamp) throws(DocumentError) {
        let root = try JSONDocument(document: response.body).root
        guard let refresh = root["refreshToken"]?.text?.string, !refresh.isEmpty else {
            throw .unknownShape("the response has no \"refreshToken\"; is this the URL of Firebase Installations?")
        }
        self.id = root["fid"]?.text.flatMap { $0.isEmpty ? nil : $0.string } ?? id
        refreshToken = Secret(refresh)
        (token, until) = try Self.token(root["authToken"], now)
        from = now
    }

    /// Replaces the token with the one in a response.
    ///
    /// - Throws: why the response is not valid.
    mutating func renew(_ response: SourceResponse, now: FlagTimestamp) throws(DocumentError) {
        (token, until) = try Self.token(try JSONDocument(document: response.body).root, now)
        from = now
    }

    /// Restores an installation from its saved ``facts``; `nil` if a member is missing.
    init?(saved root: JSONValue) {
        func text(_ name: String) -> String? { root[name]?.text.flatMap { $0.isEmpty ? nil : $0.string } }
        guard let id = text("id"), let refresh = text("refreshToken"), let token = text("token"),
            let from = text("from").flatMap({ FlagTimestamp(rfc3339: $0) }),
            let until = text("until").flatMap({ FlagTimestamp(rfc3339: $0) })
        else { return nil }
        (self.id, refreshToken, self.token) = (id, Secret(refresh), Secret(token))
        (self.from, self.until) = (from, min(until, FlagTimestamp(seconds: from.seconds + Self.longestLife)))
    }

    /// The members that are saved in the file, including secrets.
    var facts: [(String, JSONOutput)] {
        [
            ("id", .string(id)), ("refreshToken", .string(refreshToken.reveal())), ("token", .string(token.reveal())),
            ("from", .string(from.rfc3339)), ("until", .string(until.rfc3339)),
        ]
    }

    /// Marks the token as expired.
    mutating func expireToken() { until = from }

    private static func token(_ value: JSONValue?, _ now: FlagTimestamp) throws(DocumentError) -> (
        Secret, FlagTimestamp
    ) {
        guard let text = value?["token"]?.text?.string, !text.isEmpty else {
            throw .unknownShape("the response has no \"token\"; is this the URL of Firebase Installations?")
        }
        // A protocol buffers duration, such as "604800s".
        let lifetime = value?["expiresIn"]?.text?.string
        let seconds = lifetime.flatMap { $0.hasSuffix("s") ? Double($0.dropLast()) : nil } ?? 0
        let wholeSeconds = seconds.isFinite ? Int64(min(max(seconds, 0), Double(longestLife))) : 0
        return (Secret(text), FlagTimestamp(seconds: now.seconds + wholeSeconds))
    }

    /// Whether the token may be used. If the clock was set back, the token's age is unknown, so it may not be used.
    func isGood(at now: FlagTimestamp) -> Bool { now >= from && now.seconds < until.seconds - Self.margin }

    /// A new id: four fixed bits, then random bits of a UUID, as 22 letters of base64. As in Firebase's clients, the
    /// first letter is c, d, e or f.
    static func newID(_ uuid: UUID = UUID()) -> String {
        let bytes = withUnsafeBytes(of: uuid.uuid, Array.init)
        return String(Base64Text.urlText([0x70 | bytes[15] & 0x0F] + bytes).prefix(22))
    }
}

extension FirebaseClientSettings {
    /// The request to register an installation.
    func registration(of id: String) -> SourceRequest {
        let members: [(String, JSONOutput)] = [
            ("fid", .string(id)), ("authVersion", .string("FIS_v2")), ("appId", .string(app.appID)),
            ("sdkVersion", .string("i:\(Self.sdkVersion)")),
        ]
        return installationRequest("", members, authorization: nil)
    }

    /// The request for a new token.
    func renewal(of installation: FirebaseInstallation) -> SourceRequest {
        installationRequest(
            "\(PercentEncoding.encoded(installation.id))/authTokens:generate",
            [("installation", .object([("sdkVersion", .string("i:\(Self.sdkVersion)"))]))],
            authorization: installation.refreshToken)
    }

    private func installationRequest(
        _ path: String, _ members: [(String, JSONOutput)], authorization: Secret?
    ) -> SourceRequest {
        let project = PercentEncoding.encoded(app.projectID)
        var headers = clientHeaders
        if let authorization { headers.set("Authorization", secret: authorization, prefix: "FIS_v2 ") }
        return SourceRequest(
            source: name, method: .post,
            url: installationsURL.adding(path: "/v1/projects/\(project)/installations/\(path)"), headers: headers,
            body: Array(JSONOutput.object(members).text(indented: false).utf8))
    }
}
