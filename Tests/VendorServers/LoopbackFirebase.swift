#if Network
import CryptoExtras
public import FlagModel
public import FlagRemote
public import FlagTesting
import Synchronization

/// Firebase Remote Config on 127.0.0.1: the REST API of templates with Google's sign-in for service accounts, and the
/// services for the project's apps, which get the default values of the client template. It does not evaluate
/// conditions that Firebase's servers evaluate.
public final class LoopbackFirebase: Sendable {
    /// The namespace of a template; the raw values are parts of URLs.
    public enum Namespace: String, Sendable {
        /// The client template.
        case client = "firebase"
        /// The server template.
        case server = "firebase-server"
    }

    struct State {
        var templates: [Namespace: FirebaseVersions] = [:]
        /// The issued tokens and when they expire.
        var tokens: [String: FlagTimestamp] = [:]
        var tokenCount = 0
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    /// The served project; requests for other projects fail with an error.
    public let project: String
    /// An access token that the server accepts, besides the tokens that it issues.
    public let token: String
    /// The services for the project's apps; `nil` if there are none.
    private let apps: LoopbackFirebaseApps?
    let sendsNotModified: Bool
    let now: @Sendable () -> FlagTimestamp
    let state: Mutex<State>

    /// Shared, because generating a key is slow.
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private static let (account, keyID) = ("reader@shop.iam.gserviceaccount.example", "0123456789abcdef")
    private let key: _RSA.Signing.PrivateKey

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - template: the first version of the client template, as JSON; `nil` for none.
    ///   - serverTemplate: the first version of the server template, as JSON; `nil` for none.
    ///   - project: the served project.
    ///   - token: an access token that the server accepts.
    ///   - apps: the services for the project's apps, served at the same URL.
    ///   - sendsNotModified: whether the response is 304 if the template is unchanged. If not, the response is the
    ///     template with the same ETag. Firebase does not document which of the two it sends.
    ///   - now: returns the current time, for lifetimes of tokens and dates of versions.
    public init(
        template: String? = nil, serverTemplate: String? = nil, project: String = "shop",
        token: String = "ya29.given", apps: LoopbackFirebaseApps? = nil, sendsNotModified: Bool = true,
        now: @escaping @Sendable () -> FlagTimestamp = SourceClock.system.now
    ) async throws {
        self.project = project
        self.token = token
        self.apps = apps
        self.sendsNotModified = sendsNotModified
        self.now = now
        key = try Self.key.get()
        state = Mutex(State())
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in await self?.reply(to: request) ?? .status(503) }
        if let template { publish(template) }
        if let serverTemplate { publish(serverTemplate, in: .server) }
    }

    /// The base URL for a source's settings.
    public var url: String { server.url }

    /// The key file of the only known service account.
    ///
    /// - Parameter url: the token server's URL without `/token`; `nil` for this server.
    public func serviceAccountFile(for url: String? = nil) -> String {
        let file: JSONOutput = [
            "type": "service_account", "project_id": .string(project), "private_key_id": .string(Self.keyID),
            "private_key": .string(key.pkcs8PEMRepresentation), "client_email": .string(Self.account),
            "client_id": "1234567890", "token_uri": .string("\(url ?? self.url)/token"),
        ]
        return file.line
    }

    private static let (clientID, clientSecret) = (
        "764086051850-6qr4p6gpi6hn506pt8ejuq83di341hur", "hush-client-secret"
    )
    private static let refreshToken = "1//hush-refresh-token"

    /// The file that `gcloud auth application-default login` writes, with this server's token URL.
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token; by default the one that this server accepts.
    ///   - quotaProject: the project whose quota is used; `nil` for none.
    public func userFile(refreshToken: String? = nil, quotaProject: String? = nil) -> String {
        let file: JSONOutput = [
            "account": "", "client_id": .string(Self.clientID), "client_secret": .string(Self.clientSecret),
            "refresh_token": .string(refreshToken ?? Self.refreshToken), "type": "authorized_user",
            "universe_domain": "googleapis.com", "token_uri": .string("\(url)/token"),
        ]
        return file.adding(quotaProject.map { ["quota_project_id": .string($0)] }).line
    }

    /// A line of the private key in the service account file. No output may contain it.
    public var serviceAccountSecret: String {
        key.pkcs8PEMRepresentation.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
    }

    /// Publishes a template as if in the console.
    public func publish(_ template: String, in namespace: Namespace = .client) {
        add(template, to: namespace, .init(origin: "CONSOLE"))
    }

    /// Adds a version and returns it.
    @discardableResult
    func add(
        _ template: String, to namespace: Namespace, _ origin: FirebaseVersions.Origin
    ) -> FirebaseVersions.Version {
        let moment = now()
        let version = state.withLock {
            $0.templates[namespace, default: FirebaseVersions()].add(template, at: moment, origin)
        }
        if namespace == .client { serveApps() }
        return version
    }

    /// Sets the values of the apps to the default values in the newest client template.
    private func serveApps() {
        guard let apps, let text = template(), let root = try? JSONDocument(parsing: Array(text.utf8)).root else {
            return
        }
        let groups = root["parameterGroups"].map { $0.members.compactMap { $0.value["parameters"] } } ?? []
        let parameters = ([root["parameters"]].compactMap { $0 } + groups).flatMap { Array($0.members) }
        let values = parameters.compactMap { key, parameter in
            parameter["defaultValue"]?["value"]?.text.map { (key.string, $0.string) }
        }
        apps.set(Dictionary(values) { first, _ in first })
    }

    /// The text of the newest version; `nil` if there is none.
    public func template(_ namespace: Namespace = .client) -> String? {
        state.withLock { $0.templates[namespace]?.newest?.text }
    }

    /// The number of the newest version; 0 if there is none.
    public func versionNumber(_ namespace: Namespace = .client) -> Int {
        state.withLock { $0.templates[namespace]?.newest?.number ?? 0 }
    }

    /// Revokes all issued tokens.
    public func revokeTokens() { state.withLock { $0.tokens = [:] } }

    /// An error response in the format of Google's services.
    public static func failure(_ code: Int, _ status: String, _ message: String) -> LoopbackReply {
        let error: JSONOutput = ["code": .integer(code), "message": .string(message), "status": .string(status)]
        return .document(["error": error], status: code)
    }
}

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
        if offered == token { return true }
        return state.withLock { $0.tokens[offered] }.map { $0 > now() } ?? false
    }

    private func giveToken(_ request: LoopbackRequest) -> LoopbackReply {
        func errorReply(_ error: String, _ details: String) -> LoopbackReply {
            .document(["error": .string(error), "error_description": .string(details)], status: 400)
        }
        let form = PercentEncoding.parameters(of: String(decoding: request.body, as: UTF8.self))
        guard request.method == "POST",
            request.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true,
            let grant = form["grant_type"],
            ["urn:ietf:params:oauth:grant-type:jwt-bearer", "refresh_token"].contains(grant)
        else { return errorReply("unsupported_grant_type", "Invalid grant_type: \(form["grant_type"] ?? "")") }
        guard grant != "refresh_token" else {
            guard form["client_id"] == Self.clientID, form["client_secret"] == Self.clientSecret else {
                return errorReply("invalid_client", "The OAuth client was not found.")
            }
            return form["refresh_token"] == Self.refreshToken
                ? issueToken() : errorReply("invalid_grant", "Bad Request")
        }
        guard let assertion = form["assertion"].flatMap({ GoogleAssertion($0) }) else {
            return errorReply("invalid_grant", "Invalid JWT: it is none.")
        }
        let rejection = assertion.rejection(
            account: Self.account, keyID: Self.keyID, publicKey: key.publicKey, now: now())
        return rejection.map { errorReply("invalid_grant", $0) } ?? issueToken()
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
}
#endif
