import Essentials
import FlagModel
import FlagRemote

/// Firebase's identification of an app on a device: an id, a refresh token, and a token.
struct FirebaseInstallation: Sendable {
    /// How long before its expiry a token is renewed, in seconds.
    static let tokenMargin: Int64 = 3_600

    let id: String
    /// The token with which ``token`` is renewed.
    let refreshToken: Secret
    /// The token that authenticates the installation.
    var token: ExpiringToken

    /// A new id: four fixed bits, then random bits of a UUID, as 22 letters of base64. As in Firebase's clients, the
    /// first letter is c, d, e or f.
    static func newID(_ uuid: UUID = UUID()) -> String {
        let bytes = withUnsafeBytes(of: uuid.uuid, Array.init)
        return String(Base64Text.urlText([0x70 | bytes[15] & 0x0F] + bytes).prefix(22))
    }
}

extension FirebaseInstallation {
    /// Restores an installation from its saved ``facts``; `nil` if a member is missing.
    init?(saved root: JSONValue) {
        func time(_ name: String) -> FlagTimestamp? { root.nonEmpty(name).flatMap { FlagTimestamp(rfc3339: $0) } }
        guard let id = root.nonEmpty("id"), let refresh = root.nonEmpty("refreshToken"),
            let token = root.nonEmpty("token"), let from = time("from"), let until = time("until")
        else { return nil }
        let life = Double(until.seconds) - Double(from.seconds)
        self.init(
            id: id, refreshToken: Secret(refresh),
            token: ExpiringToken(token, lasting: life, from: from, margin: Self.tokenMargin))
    }

    /// The members that are saved in the file, including secrets.
    var facts: [(String, JSONOutput)] {
        [
            ("id", .string(id)), ("refreshToken", .string(refreshToken.reveal())),
            ("token", .string(token.secret.reveal())), ("from", .string(token.from.rfc3339)),
            ("until", .string(token.until.rfc3339)),
        ]
    }
}

extension FirebaseClientSettings {
    /// The request to register an installation.
    func registration(of id: String) -> SourceRequest {
        request(
            installationsURL, app.projectID, "/installations/",
            [
                ("fid", .string(id)), ("authVersion", .string("FIS_v2")), ("appId", .string(app.appID)),
                ("sdkVersion", .string("i:\(Self.sdkVersion)")),
            ])
    }

    /// The request for a new token.
    func renewal(of installation: FirebaseInstallation) -> SourceRequest {
        var request = request(
            installationsURL, app.projectID,
            "/installations/\(PercentEncoding.encoded(installation.id))/authTokens:generate",
            [("installation", .object([("sdkVersion", .string("i:\(Self.sdkVersion)"))]))])
        request.headers.set("Authorization", secret: installation.refreshToken, prefix: "FIS_v2 ")
        return request
    }
}
