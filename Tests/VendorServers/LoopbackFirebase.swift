import CryptoExtras
public import FlagModel
public import FlagRemote
public import FlagTesting
import Synchronization

/// Firebase Remote Config on 127.0.0.1: the REST interface of templates, with Google's sign-in for service accounts, and the
/// services for the project's apps, which get the default values of the template for clients. It evaluates nothing that
/// Firebase's servers evaluate.
public final class LoopbackFirebase: Sendable {
    /// Whose template; the words are those of addresses.
    public enum Namespace: String, Sendable {
        /// That for clients.
        case client = "firebase"
        /// That for servers.
        case server = "firebase-server"
    }

    struct State {
        var templates: [Namespace: FirebaseVersions] = [:]
        /// What was given for assertions, and until when.
        var tokens: [String: Timestamp] = [:]
        var tokenCount = 0
    }

    /// What carries it; faults are injected there.
    public let server: LoopbackServer
    /// The project that it has; others are not found.
    public let project: String
    /// The access token that it takes, besides those that it gives itself.
    public let token: String
    /// The services for its apps; `nil` where it has none.
    private let apps: LoopbackFirebaseApps?
    let saysNotModified: Bool
    let now: @Sendable () -> Timestamp
    let state: Mutex<State>

    /// Making one takes long.
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private static let (account, keyID) = ("reader@shop.iam.gserviceaccount.example", "0123456789abcdef")
    private let key: _RSA.Signing.PrivateKey

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - template: the first version of the template for clients, as JSON; left out, there is none.
    ///   - serverTemplate: the same of that for servers.
    ///   - project: the project that it has.
    ///   - token: an access token that it takes.
    ///   - apps: the services for its apps, to be found at its own address.
    ///   - saysNotModified: whether it answers 304 to who has the newest template. Nobody has written down whether Firebase
    ///     does; without it the same ETag comes again.
    ///   - now: the moment that lives of tokens and dates of versions go by.
    public init(
        template: String? = nil, serverTemplate: String? = nil, project: String = "shop",
        token: String = "ya29.given", apps: LoopbackFirebaseApps? = nil, saysNotModified: Bool = true,
        now: @escaping @Sendable () -> Timestamp = SourceClock.system.now
    ) async throws {
        self.project = project
        self.token = token
        self.apps = apps
        self.saysNotModified = saysNotModified
        self.now = now
        key = try Self.key.get()
        state = Mutex(State())
        server = try await LoopbackServer { _ in .status(503) }
        server.answer { [weak self] request in await self?.reply(to: request) ?? .status(503) }
        if let template { publish(template) }
        if let serverTemplate { publish(serverTemplate, in: .server) }
    }

    /// Its address, as the setting of a source.
    public var url: String { server.url }

    /// The key file of the one service account that it knows.
    ///
    /// - Parameter url: where tokens are given, if that is not this server; `/token` is added.
    public func serviceAccountFile(for url: String? = nil) -> String {
        JSONOutput.object([
            ("type", .string("service_account")), ("project_id", .string(project)),
            ("private_key_id", .string(Self.keyID)), ("private_key", .string(key.pkcs8PEMRepresentation)),
            ("client_email", .string(Self.account)), ("client_id", .string("1234567890")),
            ("token_uri", .string("\(url ?? self.url)/token")),
        ]).text(indented: false)
    }

    /// What is secret in that file: a line of its key, which no output may hold.
    public var secretOfServiceAccount: String {
        key.pkcs8PEMRepresentation.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
    }

    /// Publishes a template as somebody in the console does.
    public func publish(_ template: String, in namespace: Namespace = .client, details: String? = nil) {
        let moment = now()
        _ = state.withLock {
            $0.templates[namespace, default: FirebaseVersions()]
                .add(template, at: moment, .init(origin: "CONSOLE", type: "INCREMENTAL_UPDATE", details: details))
        }
        if namespace == .client { serveApps() }
    }

    /// Gives the apps what the newest template has for those of whom no condition holds.
    func serveApps() {
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

    /// The text of the newest version; `nil` where there is none.
    public func template(_ namespace: Namespace = .client) -> String? {
        state.withLock { $0.templates[namespace]?.newest?.text }
    }

    /// The number of the newest version; 0 where there is none.
    public func versionNumber(_ namespace: Namespace = .client) -> Int {
        state.withLock { $0.templates[namespace]?.newest?.number ?? 0 }
    }

    /// Takes none of the tokens any more that it has given.
    public func revokeTokens() { state.withLock { $0.tokens = [:] } }

    /// An answer that is a failure, as Google's services spell them.
    public static func failure(_ code: Int, _ status: String, _ message: String) -> LoopbackReply {
        .json(
            JSONOutput.object([
                (
                    "error",
                    .object([
                        ("code", .integer(code)), ("message", .string(message)), ("status", .string(status)),
                    ])
                )
            ]).text(), status: code)
    }
}

// Google's sign-in.
extension LoopbackFirebase {
    /// What it says to a request, whichever server that came to.
    public func reply(to request: LoopbackRequest) async -> LoopbackReply {
        if request.path == "/token" { return giveToken(request) }
        if let call = FirebaseTemplateCall(request, project: project) {
            guard isAuthorized(request) else {
                return Self.failure(
                    401, "UNAUTHENTICATED",
                    "Request had invalid authentication credentials. Expected OAuth 2 access token.")
            }
            return answer(call, request)
        }
        return apps?.reply(to: request) ?? Self.failure(404, "NOT_FOUND", "Requested entity was not found.")
    }

    private func isAuthorized(_ request: LoopbackRequest) -> Bool {
        guard let header = request.headers["Authorization"], header.hasPrefix("Bearer ") else { return false }
        let offered = String(header.dropFirst(7))
        if offered == token { return true }
        return state.withLock { $0.tokens[offered] }.map { $0 > now() } ?? false
    }

    private func giveToken(_ request: LoopbackRequest) -> LoopbackReply {
        func errorReply(_ error: String, _ details: String) -> LoopbackReply {
            .json(
                JSONOutput.object([("error", .string(error)), ("error_description", .string(details))]).text(),
                status: 400)
        }
        let form = LoopbackRequest(
            method: "POST", target: "?\(String(decoding: request.body, as: UTF8.self))", headers: SourceHeaders(),
            body: [])
        guard request.method == "POST",
            request.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true,
            form.query("grant_type") == "urn:ietf:params:oauth:grant-type:jwt-bearer"
        else { return errorReply("unsupported_grant_type", "Invalid grant_type: \(form.query("grant_type") ?? "")") }
        guard let assertion = form.query("assertion").flatMap({ GoogleAssertion($0) }) else {
            return errorReply("invalid_grant", "Invalid JWT: it is none.")
        }
        let moment = now()
        if let (error, details) = assertion.rejection(
            account: Self.account, keyID: Self.keyID, publicKey: key.publicKey, now: moment)
        {
            return errorReply(error, details)
        }
        let token = state.withLock { state in
            state.tokenCount += 1
            let token = "ya29.loopback-\(state.tokenCount)"
            state.tokens[token] = Timestamp(seconds: moment.seconds + 3_599)
            return token
        }
        return .json(
            JSONOutput.object([
                ("access_token", .string(token)), ("expires_in", .integer(3_599)), ("token_type", .string("Bearer")),
            ]).text())
    }
}
