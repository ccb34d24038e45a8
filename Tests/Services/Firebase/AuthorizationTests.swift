#if Network
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// Firebase: authorization.
@Suite(.limitedParallelism, .timeLimit(.minutes(10)))
struct AuthorizationTests {
    private let clock = ManualClock()
    private let server: LoopbackFirebase
    private let account: ServiceAccount
    /// Templates with the server's service account.
    private let templates: FirebaseTemplates

    init() async throws {
        server = try await LoopbackFirebase(template: SampleTemplates.client, now: { [clock] in clock.now })
        account = try ServiceAccount(parsing: Array(server.serviceAccountFile().utf8))
        templates = try Self.templates(server, .serviceAccount(account))
    }

    /// The credentials in a file of gcloud.
    private func login(_ text: String) throws -> FirebaseCredentials {
        let workplace = Workplace()
        workplace.write(text, to: "adc.json")
        return try FirebaseCredentials(path: workplace.place("adc.json"))
    }

    private static func templates(
        _ server: LoopbackFirebase, _ credentials: FirebaseCredentials, quotaProject: String? = nil
    ) throws -> FirebaseTemplates {
        let authorization = FirebaseAuthorization(credentials, quotaProject: quotaProject)
        return try FirebaseTemplates(of: server.project, authorization: authorization, address: server.url)
    }

    private var client: SourceClient { SourceClient(transport: HTTPTransport(), clock: clock.sourceClock) }

    private var tokenRequests: Int { server.server.requests.count { $0.path == "/token" } }

    @Test func `a token is reused until a minute before it expires`() async throws {
        for (seconds, requested) in [(Int64(0), 1), (3_538, 1), (1, 2), (3_600, 3)] {
            clock.turn(by: seconds)
            _ = try await templates.template(client)
            #expect(tokenRequests == requested, "after \(seconds) s more")
        }
        clock.turn(by: -10)
        _ = try await templates.template(client)
        #expect(tokenRequests == 4, "after the clock was set back, the age of a token is unknown")
    }

    @Test func `a new fetch requests a token after a cancelled one`() async throws {
        let client = client
        server.server.inject(.hang)
        let short = Task { try await templates.template(client) }
        try await server.server.waitForRequests()
        short.cancel()
        #expect(await #expect(throws: SourceError.self) { try await short.value }?.code == .cancelled)
        _ = try await templates.template(client)
        #expect(tokenRequests == 2)
    }

    @Test func `a revoked token is renewed once; if the new one is rejected too, the fetch fails`() async throws {
        _ = try await templates.template(client)
        server.revokeTokens()
        _ = try await templates.template(client)
        #expect(tokenRequests == 2)
        server.server.respond { [server] request in
            request.path == "/token" ? await server.reply(to: request) : .status(401)
        }
        server.server.forgetRequests()
        #expect(await #expect(throws: SourceError.self) { try await templates.template(client) }?.code == .refused)
        #expect(server.server.requests.map(\.path).filter { $0 != "/token" }.count == 2)
        #expect(tokenRequests == 1)
    }

    @Test func `a given token is not renewed`() async throws {
        let templates = try Self.templates(server, .token(Secret("ya29.hush")))
        let error = await #expect(throws: SourceError.self) { try await templates.template(client) }
        #expect(error?.code == .refused && error?.path == "firebase:shop")
        #expect(error?.description.contains("UNAUTHENTICATED") == true && error?.description.contains("hush") == false)
        #expect(server.server.requests.count == 1)
    }

    @Test func `an assertion is for Google, valid for an hour, and limited to Remote Config`() async throws {
        _ = try await templates.template(client)
        let request = try #require(server.server.requests.first)
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        let form = String(decoding: request.body, as: UTF8.self)
        let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        #expect(form.hasPrefix(prefix))
        let parts = form.dropFirst(prefix.count).split(separator: ".").map(String.init)
        let header = try JSONDocument(parsing: try #require(Base64Text.bytes(parts[0]))).root
        let claims = try JSONDocument(parsing: try #require(Base64Text.bytes(parts[1]))).root
        #expect(header["alg"]?.text == "RS256" && header["typ"]?.text == "JWT")
        #expect(header["kid"]?.text == "0123456789abcdef")
        #expect(claims["aud"]?.text == "https://oauth2.googleapis.com/token")
        #expect(claims["iss"]?.text == "reader@shop.iam.gserviceaccount.example")
        #expect(claims["scope"]?.text == "https://www.googleapis.com/auth/firebase.remoteconfig")
        #expect(claims["iat"]?.source == "1795255200" && claims["exp"]?.source == "1795258800")
    }

    @Test func `a wrong clock and another account's key are refused with a remedy`() async throws {
        let late = ManualClock(FlagTimestamp(seconds: clock.now.seconds - 4_000))
        let lateClient = SourceClient(transport: HTTPTransport(), clock: late.sourceClock)
        let error = await #expect(throws: SourceError.self) { try await templates.template(lateClient) }
        #expect(error?.code == .refused, "\(String(describing: error))")
        #expect(error?.description.contains("short-lived") == true && error?.description.contains("clock") == true)
        let file = server.serviceAccountFile().replacing("reader@", with: "stranger@")
        let otherUser = FirebaseAuthorization(.serviceAccount(try ServiceAccount(parsing: Array(file.utf8))))
        let unknown = await #expect(throws: SourceError.self) { try await otherUser.token(client, of: "firebase:shop") }
        #expect(unknown?.description.contains("account not found") == true && unknown?.code == .refused)
        #expect(server.server.requests.count == 2, "a rejected assertion is not sent again")
    }

    @Test(
        arguments: [
            ("{}", "access_token"), (#"{"access_token": ""}"#, "access_token"), ("<html>", "a web page"),
            (#"{"access_token": "hush", "token_type": "MAC"}"#, "MAC"),
        ])
    func `a response without a usable token is malformed`(body: String, words: String) async throws {
        server.server.inject(.json(body))
        let error = await #expect(throws: SourceError.self) { try await templates.template(client) }
        #expect(error?.code == .malformed && error?.description.contains(words) == true)
        #expect(error?.description.contains("hush") == false)
    }

    @Test func `a token without expires_in is used once`() async throws {
        server.server.inject(.json(#"{"access_token": "ya29.given"}"#))
        _ = try await templates.template(client)
        _ = try await templates.template(client)
        #expect(tokenRequests == 2)
    }

    @Test func `descriptions of an account never contain its key`() async throws {
        let authorization = FirebaseAuthorization(.serviceAccount(account))
        _ = try await authorization.token(client, of: "firebase:shop")
        var dumped = ""
        for value: Any in [account, FirebaseCredentials.serviceAccount(account), authorization, templates] {
            dump(value, to: &dumped)
            dumped += "\(value)\(String(reflecting: value))"
        }
        #expect(!dumped.contains(server.serviceAccountSecret) && !dumped.contains("ya29"))
        #expect(dumped.contains("reader@shop"))
    }

    @Test(
        arguments: [(nil, nil, "shop"), ("billed", nil, "billed"), ("billed", "other", "other")]
            as [(String?, String?, String)])
    func `the file of gcloud gives tokens, and requests name the project whose quota they use`(
        quotaProject: String?, override: String?, header: String
    ) async throws {
        let login = try login(server.userFile(quotaProject: quotaProject))
        let templates = try Self.templates(server, login, quotaProject: override)
        for _ in 1...2 { _ = try await templates.template(client) }
        #expect(tokenRequests == 1)
        let request = try #require(server.server.requests.last)
        #expect(request.headers["x-goog-user-project"] == header)
        #expect(request.headers["Authorization"]?.hasPrefix("Bearer ya29.") == true)
        var dumped = ""
        dump(templates, to: &dumped)
        #expect(!(dumped + "\(login)").contains("hush"))
    }

    @Test func `a revoked login of gcloud is an error that says how to log in`() async throws {
        let templates = try Self.templates(server, login(server.userFile(refreshToken: "1//hush-old")))
        let error = await #expect(throws: SourceError.self) { try await templates.template(client) }
        #expect(error?.code == .refused && error?.sentence.contains("gcloud auth application-default login") == true)
        #expect(error?.sentence.contains("hush") == false && error?.sentence.contains("invalid_grant") == true)
    }

    @Test(
        arguments: [
            (#"{"type": "authorized_user", "client_id": "x"}"#, "authorized_user"), ("{}", "client_email"),
            (#"{"client_email": "a@b", "private_key": "hush"}"#, "RSA key"),
            (#"{"client_email": "a@b", "private_key": "hush", "token_uri": "http://example.com/t"}"#, "token_uri"),
            (#"{"type":"#, "line 1"),
        ])
    func `a file that is not a service account is rejected with a remedy`(text: String, words: String) {
        let error = #expect(throws: SourceError.self) {
            try ServiceAccount(parsing: Array(text.utf8), path: "account.json")
        }
        #expect(
            error?.path == "account.json" && error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(error?.description.contains("hush") == false)
    }
}
#endif
