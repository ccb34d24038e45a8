import Essentials
import FlagModel
import FlagRemote

/// The installation of an app on this machine. The installation is registered when it is first needed, and its token is
/// renewed before the token expires. With a file the installation is the same in every run, as with the SDK; without a
/// file each run registers a new one.
actor FirebaseInstallations {
    private let settings: FirebaseClientSettings
    private let file: FirebaseInstallationFile?

    private var installation: FirebaseInstallation?
    /// Whether the installation's token is from the file, and was not renewed in this run.
    private var isSaved = false
    /// A token that the service has rejected, but that the file may still have.
    private var rejectedToken: Secret?
    /// The request under way, which all callers share: two registrations would be two installations.
    private var request: Task<Result<FirebaseInstallation, SourceError>, Never>?

    init(_ settings: FirebaseClientSettings, cachedIn file: FirebaseInstallationFile?) {
        (self.settings, self.file) = (settings, file)
    }

    /// The installation with a valid token. If a caller is cancelled, the request that it shares is cancelled too, and
    /// the others send another one.
    func installation(_ client: SourceClient) async throws(SourceError) -> FirebaseInstallation {
        while true {
            if let installation, installation.token.isGood(at: client.clock.now()) { return installation }
            let request =
                request
                ?? Task {
                    defer { self.request = nil }
                    do throws(SourceError) {
                        return Result<FirebaseInstallation, SourceError>.success(try await self.valid(client))
                    } catch {
                        return .failure(error)
                    }
                }
            self.request = request
            let result = await withTaskCancellationHandler {
                await request.value
            } onCancel: {
                request.cancel()
            }
            if request.isCancelled, !Task.isCancelled { continue }
            return try result.get()
        }
    }

    /// A valid installation: the one in the file or, if that is not valid, a renewed or new one.
    private func valid(_ client: SourceClient) async throws(SourceError) -> FirebaseInstallation {
        let isUsable = { @Sendable [rejectedToken, now = client.clock.now] (installation: FirebaseInstallation) in
            installation.token.secret != rejectedToken && installation.token.isGood(at: now())
        }
        // Another run may have registered or renewed the installation, before the request or during it.
        let saved = savedInstallation
        if let saved, isUsable(saved) {
            (installation, isSaved) = (saved, true)
            return saved
        }
        let new = try await renewed(saved ?? installation, client)
        file?.update { [key = settings.installationKey] bytes in
            if let other = FirebaseInstallation(savedIn: bytes, of: key), isUsable(other) { return nil }
            return new.saved(of: key)
        }
        let stored = savedInstallation.flatMap { isUsable($0) ? $0 : nil } ?? new
        (installation, isSaved) = (stored, stored.token.secret != new.token.secret)
        return stored
    }

    private var savedInstallation: FirebaseInstallation? {
        FirebaseInstallation(savedIn: file?.read(), of: settings.installationKey)
    }

    /// Records that the service rejects the token of an installation. If the token is from the file, the service may
    /// have deleted the installation, and a renewal shows whether it has. If the token is from this run, another request
    /// does not help.
    ///
    /// - Returns: whether to retry with another token, either a new one or one that another request has already
    ///   renewed.
    func recordRejection(of rejected: FirebaseInstallation) -> Bool {
        let token = rejected.token.secret
        guard installation?.token.secret == token, rejectedToken != token else { return true }
        guard isSaved else { return false }
        (rejectedToken, isSaved) = (token, false)
        installation?.token.expire()
        return true
    }

    /// The installation with a new token; a new installation if there was none, or the service has deleted it.
    private func renewed(
        _ current: FirebaseInstallation?, _ client: SourceClient
    ) async throws(SourceError) -> FirebaseInstallation {
        if var installation = current {
            do throws(SourceError) {
                let root = try await send(settings.renewal(of: installation), client)
                installation.token = try token(root, client)
                return installation
            } catch {
                guard error.status == 401 || error.status == 404 else { throw error }
            }
        }
        let id = FirebaseInstallation.newID()
        let root = try await send(settings.registration(of: id), client)
        guard let refresh = root.nonEmpty("refreshToken") else { throw missing("refreshToken") }
        // An id in the response takes precedence over the requested id.
        return FirebaseInstallation(
            id: root.nonEmpty("fid") ?? id, refreshToken: Secret(refresh), token: try token(root["authToken"], client))
    }

    private func token(_ root: JSONValue?, _ client: SourceClient) throws(SourceError) -> ExpiringToken {
        guard let text = root?.nonEmpty("token") else { throw missing("token") }
        // A protocol buffers duration, such as "604800s".
        let lifetime = root?["expiresIn"]?.text?.string
        let seconds = lifetime.flatMap { $0.hasSuffix("s") ? Double($0.dropLast()) : nil } ?? 0
        return ExpiringToken(text, lasting: seconds, from: client.clock.now(), margin: FirebaseInstallation.tokenMargin)
    }

    private func missing(_ member: String) -> SourceError {
        SourceError(
            .malformed, of: settings.name,
            "the response has no \"\(member)\"; is this the URL of Firebase Installations?")
    }

    private func send(_ request: SourceRequest, _ client: SourceClient) async throws(SourceError) -> JSONValue {
        let response = try await client.send(request, detail: FirebaseServiceError.detail)
        // The request named no version, so 304 is an error.
        _ = try FetchResult(response, since: nil, of: settings.name)
        return try SourceError.reading(settings.name, value: try JSONDocument(document: response.body).root)
    }
}

/// Firebase's identification of an app on a device: an id, a refresh token, and a token.
struct FirebaseInstallation: Sendable {
    /// How long before its expiry a token is renewed, in seconds.
    static let tokenMargin: Int64 = 3_600

    /// The id.
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
    private static let format = 1

    /// The installation in the content of a file; `nil` if the file is missing, damaged, of another format, or of another
    /// app.
    ///
    /// - Parameter key: ``FirebaseClientSettings/installationKey`` of the app.
    init?(savedIn bytes: [UInt8]?, of key: String) {
        guard let root = bytes.flatMap({ try? JSONDocument(parsing: $0).root }) else { return nil }
        func time(_ name: String) -> FlagTimestamp? { root.nonEmpty(name).flatMap { FlagTimestamp(rfc3339: $0) } }
        guard root["format"]?.source == "\(Self.format)", root.nonEmpty("app") == key, let id = root.nonEmpty("id"),
            let refresh = root.nonEmpty("refreshToken"),
            let token = root.nonEmpty("token"), let from = time("from"), let until = time("until")
        else { return nil }
        let life = Double(until.seconds) - Double(from.seconds)
        self.init(
            id: id, refreshToken: Secret(refresh),
            token: ExpiringToken(token, lasting: life, from: from, margin: Self.tokenMargin))
    }

    /// The content of the file, including secrets.
    func saved(of key: String) -> [UInt8] {
        let content = JSONOutput.object([
            ("format", .integer(Self.format)), ("app", .string(key)), ("id", .string(id)),
            ("refreshToken", .string(refreshToken.reveal())),
            ("token", .string(token.secret.reveal())), ("from", .string(token.from.rfc3339)),
            ("until", .string(token.until.rfc3339)),
        ])
        return Array((content.text() + "\n").utf8)
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

/// The file that stores an installation between runs, as two functions. The program provides these functions, as only
/// its storage layer writes files.
///
/// Anyone who reads the file can authenticate as the installation, so it must have the mode 0600.
public struct FirebaseInstallationFile: Sendable {
    /// Makes new content from the old; `nil` for no change.
    public typealias Change = @Sendable (_ bytes: [UInt8]?) -> [UInt8]?

    /// Returns the last written content; `nil` if there is none, or it cannot be read.
    public var read: @Sendable () -> [UInt8]?
    /// Atomically replaces the content with the result of `change`, while other runs wait. The function itself reports
    /// a failure; after a failure the next run registers another installation.
    public var update: @Sendable (_ change: Change) -> Void

    /// A file from its functions.
    public init(read: @escaping @Sendable () -> [UInt8]?, update: @escaping @Sendable (_ change: Change) -> Void) {
        (self.read, self.update) = (read, update)
    }
}

extension FirebaseClientSettings {
    /// Identifies the app and the URL of Firebase Installations.
    var installationKey: String {
        "\(app.projectID)/\(app.appID)#\(StableHash.text(installationsURL.text))"
    }

    /// The name of the file that stores the app's installation.
    public var installationFileName: String { "\(StableHash.text(installationKey)).json" }
}
