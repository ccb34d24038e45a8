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

    /// A version of a template.
    struct Version {
        let number: Int
        let text: String
        /// The entry in the list of versions.
        let entry: JSONOutput

        /// The template as sent in a response.
        ///
        /// - Parameter names: the names of the sent members; `nil` for all.
        func template(_ names: [String]? = nil) -> String {
            let all = JSONValue.parsed(text.utf8).map { Array($0.members) } ?? []
            let sent = all.filter { $0.key != "version" && names?.contains($0.key.string) ?? true }
            return JSONOutput.object(sent.map { ($0.key.string, .raw($0.value.source)) } + [("version", entry)]).text()
        }
    }

    struct State {
        /// The versions of each template, the oldest first.
        var templates: [Namespace: [Version]] = [:]
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
    let apps: LoopbackFirebaseApps?
    let sendsNotModified: Bool
    let now: @Sendable () -> FlagTimestamp
    let state: Mutex<State>

    /// Shared, because generating a key is slow.
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    static let (account, keyID) = ("reader@shop.iam.gserviceaccount.example", "0123456789abcdef")
    let key: _RSA.Signing.PrivateKey

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
        (self.project, self.token, self.apps) = (project, token, apps)
        (self.sendsNotModified, self.now) = (sendsNotModified, now)
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
            "client_id": "1234567890", "token_uri": "\(url ?? self.url)/token",
        ]
        return file.line
    }

    static let (clientID, clientSecret) = ("764086051850-6qr4p6gpi6hn506pt8ejuq83di341hur", "hush-client-secret")
    static let refreshToken = "1//hush-refresh-token"

    /// The file that `gcloud auth application-default login` writes, with this server's token URL.
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token; by default the one that this server accepts.
    ///   - quotaProject: the project whose quota is used; `nil` for none.
    public func userFile(refreshToken: String? = nil, quotaProject: String? = nil) -> String {
        let file: JSONOutput = [
            "account": "", "client_id": .string(Self.clientID), "client_secret": .string(Self.clientSecret),
            "refresh_token": .string(refreshToken ?? Self.refreshToken), "type": "authorized_user",
            "universe_domain": "googleapis.com", "token_uri": "\(url)/token",
            "quota_project_id": quotaProject.map { .string($0) },
        ]
        return file.line
    }

    /// A line of the private key in the service account file. No output may contain it.
    public var serviceAccountSecret: String {
        key.pkcs8PEMRepresentation.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
    }

    /// Publishes a template as if in the console.
    public func publish(_ template: String, in namespace: Namespace = .client) { add(template, to: namespace) }

    /// Adds a version and returns it.
    @discardableResult
    func add(_ template: String, to namespace: Namespace, details: String? = nil) -> Version {
        let moment = now()
        let version = state.withLock { state in
            let number = state.templates[namespace, default: []].count + 1
            let entry: JSONOutput = [
                "versionNumber": "\(number)", "updateTime": .string(moment.rfc3339),
                "updateUser": ["email": "somebody@example.com"], "updateOrigin": "CONSOLE",
                "updateType": "INCREMENTAL_UPDATE", "description": details.map { .string($0) },
            ]
            let version = Version(number: number, text: template, entry: entry)
            state.templates[namespace, default: []].append(version)
            return version
        }
        if namespace == .client { serveApps() }
        return version
    }

    /// Sets the values of the apps to the default values in the newest client template, without its groups.
    private func serveApps() {
        guard let apps, let root = template().flatMap({ JSONValue.parsed($0.utf8) }) else { return }
        let values = root["parameters"]?.members.compactMap { key, parameter in
            parameter["defaultValue"]?["value"]?.text.map { (key.string, $0.string) }
        }
        apps.set(Dictionary(uniqueKeysWithValues: values ?? []))
    }

    /// The text of the newest version; `nil` if there is none.
    public func template(_ namespace: Namespace = .client) -> String? { versions(namespace).last?.text }

    /// The number of the newest version; 0 if there is none.
    public func versionNumber(_ namespace: Namespace = .client) -> Int { versions(namespace).count }

    func versions(_ namespace: Namespace) -> [Version] { state.withLock { $0.templates[namespace] ?? [] } }

    /// Revokes all issued tokens.
    public func revokeTokens() { state.withLock { $0.tokens = [:] } }

    /// An error response in the format of Google's services.
    public static func failure(_ code: Int, _ status: String, _ message: String) -> LoopbackReply {
        let error: JSONOutput = ["code": .integer(code), "message": .string(message), "status": .string(status)]
        return .document(["error": error], status: code)
    }
}
#endif
