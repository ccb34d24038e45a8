import Essentials
import FlagModel
import FlagRemote

/// An app on a device, as Firebase knows it: an id, what renews its token, and the token.
struct FirebaseInstallation: Sendable {
    /// A token is renewed when less than this is left of it, in seconds.
    private static let margin: Int64 = 3_600
    /// No token is believed to live longer, in seconds; Firebase's live a week.
    private static let longestLife: Int64 = 30 * 86_400

    /// The id.
    let id: String
    /// What renews the token.
    let refreshToken: Secret
    /// What stands for the installation.
    private(set) var token: Secret
    private var until: Timestamp
    private var from: Timestamp

    /// Reads the answer to a registration. The service may have given another id, which counts.
    ///
    /// - Throws: what is wrong with it.
    init(_ response: SourceResponse, asking id: String, now: Timestamp) throws(DocumentError) {
        let root = try JSONDocument(document: response.body).root
        guard let refresh = root["refreshToken"]?.text?.string, !refresh.isEmpty else {
            throw .unknownShape("the response has no \"refreshToken\"; is this the URL of Firebase Installations?")
        }
        self.id = root["fid"]?.text.flatMap { $0.isEmpty ? nil : $0.string } ?? id
        refreshToken = Secret(refresh)
        (token, until) = try Self.token(root["authToken"], now)
        from = now
    }

    /// Takes a new token over.
    ///
    /// - Throws: what is wrong with the answer.
    mutating func renew(_ response: SourceResponse, now: Timestamp) throws(DocumentError) {
        (token, until) = try Self.token(try JSONDocument(document: response.body).root, now)
        from = now
    }

    /// An installation as ``facts`` tell of it; `nil` where they are not whole.
    init?(kept root: JSONValue) {
        func text(_ name: String) -> String? { root[name]?.text.flatMap { $0.isEmpty ? nil : $0.string } }
        guard let id = text("id"), let refresh = text("refreshToken"), let token = text("token"),
            let from = text("from").flatMap({ Timestamp(rfc3339: $0) }),
            let until = text("until").flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        (self.id, refreshToken, self.token) = (id, Secret(refresh), Secret(token))
        (self.from, self.until) = (from, min(until, Timestamp(seconds: from.seconds + Self.longestLife)))
    }

    /// All there is to know of it, secrets included, for its own file.
    var facts: [(String, JSONOutput)] {
        [
            ("id", .string(id)), ("refreshToken", .string(refreshToken.reveal())), ("token", .string(token.reveal())),
            ("from", .string(from.rfc3339)), ("until", .string(until.rfc3339)),
        ]
    }

    /// Has the token count as one that has ended.
    mutating func endToken() { until = from }

    private static func token(_ value: JSONValue?, _ now: Timestamp) throws(DocumentError) -> (Secret, Timestamp) {
        guard let text = value?["token"]?.text?.string, !text.isEmpty else {
            throw .unknownShape("the response has no \"token\"; is this the URL of Firebase Installations?")
        }
        // A duration of protocol buffers, such as "604800s".
        let life = value?["expiresIn"]?.text?.string
        let seconds = life.flatMap { $0.hasSuffix("s") ? Double($0.dropLast()) : nil } ?? 0
        let whole = seconds.isFinite ? Int64(min(max(seconds, 0), Double(longestLife))) : 0
        return (Secret(text), Timestamp(seconds: now.seconds + whole))
    }

    /// Whether the token may be used. Where the clock was set back nobody knows how old it is.
    func isGood(at now: Timestamp) -> Bool { now >= from && now.seconds < until.seconds - Self.margin }

    /// A new id: 128 bits of chance behind four bits that are always the same, 22 letters of base64. Firebase's own clients
    /// make it of a UUID in this way, so that the first letter is c, d, e or f.
    static func newID(_ uuid: UUID = UUID()) -> String {
        let bytes = withUnsafeBytes(of: uuid.uuid, Array.init)
        return String(Base64Text.urlText([0x70 | bytes[15] & 0x0F] + bytes).prefix(22))
    }
}

extension FirebaseClientSettings {
    /// The question for an installation.
    func registration(of id: String) -> SourceRequest {
        let members: [(String, JSONOutput)] = [
            ("fid", .string(id)), ("authVersion", .string("FIS_v2")), ("appId", .string(app.appID)),
            ("sdkVersion", .string("i:\(Self.sdkVersion)")),
        ]
        return installationRequest("", members, authorization: nil)
    }

    /// The question for another token.
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
