#if Server
import FlagModel
import FlagRemote
import FlagTesting
import Flags
import HTTPTypes
import HummingbirdCore
import TestSupport
import Testing

@testable import FlagServer

/// Server: access.
struct AccessPolicyTests {
    private static let writing = "write-token-write-token"
    private static let reading = "read-token-read-token-1"

    /// The access of a request to a server with an address; the read token is needed if there is one.
    private func access(
        _ authority: String, _ fields: HTTPFields = [:], at address: String = "127.0.0.1",
        isEvaluation: Bool = false, readToken: Bool = false
    ) throws -> AccessPolicy.Access {
        var settings = ServerSettings()
        settings.address = address
        settings.hostNames = ["flags.example.com"]
        settings.allowedOrigins = ["http://localhost:3000"]
        let tokens = AccessTokens(
            writing: try #require(AccessToken(Self.writing)), reading: readToken ? AccessToken(Self.reading) : nil)
        let policy = AccessPolicy(settings, tokens, Sessions(now: { FlagTimestamp(seconds: 0) }))
        let head = HTTPRequest(method: .get, scheme: nil, authority: authority, path: "/", headerFields: fields)
        return try policy.access(of: head, isEvaluation: isEvaluation, needsToken: true)
    }

    @Test(arguments: [
        ("127.0.0.1:7110", true), ("localhost", true), ("LOCALHOST:1", true), ("[::1]:7110", true),
        ("flags.example.com", true), ("evil.com", false), ("127.0.0.1.evil.com", false), ("", false),
        ("localhost.evil.com:7110", false), ("127.0.0.1:7110@evil.com", false), ("127.0.0.1:evil", false),
        ("evil.com:127.0.0.1", false), ("0.0.0.0", false), ("2130706433", false),
    ])
    func `a host must be a name of the server`(authority: String, isAllowed: Bool) {
        #expect(((try? access(authority)) != nil) == isAllowed)
    }

    @Test func `an error names the whole host if its port is not a number`() {
        let error = #expect(throws: APIError.self) { try access("127.0.0.1:1@evil") }
        #expect(error?.message.contains("127.0.0.1:1@evil") == true, "\(error?.message ?? "")")
    }

    @Test func `requests without a valid token are counted`() async throws {
        let server = try await TestServer(
            ["flag": "a"], tokens: AccessTokens(reading: AccessToken(Self.reading)))
        #expect(try await server.evaluate("flag").status == 401)
        #expect(try await server.send(.get, "/api/v1/flags", token: "wrong-token-wrong-token").status == 401)
        #expect(try await server.send(.get, "/api/v1/flags", token: Self.reading).status == 200)
        let clients = try await server.send(.get, "/api/v1/clients", token: Self.reading).text
        #expect(clients.contains(#""rejected":2}"#), "\(clients)")
    }

    @Test func `a second host is rejected`() {
        #expect(throws: APIError.self) { try access("localhost", [.secondHost: "evil.com"]) }
    }

    @Test func `a server beyond loopback does not answer to localhost`() throws {
        #expect(throws: APIError.self) { try access("localhost:7110", at: "192.168.1.20") }
        #expect(try access("192.168.1.20:7110", at: "192.168.1.20") == .read)
    }

    @Test(arguments: [
        ("http://127.0.0.1:7110", false, true), ("http://127.0.0.1:7111", false, false), ("null", false, false),
        ("https://127.0.0.1:7110", false, false), ("http://evil.com", true, false),
        ("http://localhost:3000", true, true), ("http://localhost:3000", false, false),
        ("http://localhost:3001", true, false), ("http://127.0.0.1:7110.evil.com", true, false),
        ("http://", true, false),
    ])
    func `an origin must be the server's own, or allowed for evaluation`(
        origin: String, isEvaluation: Bool, isAllowed: Bool
    ) {
        let access = try? access("127.0.0.1:7110", [.origin: origin], isEvaluation: isEvaluation)
        #expect((access != nil) == isAllowed)
    }

    @Test(.mayBlock, arguments: [("1_1", false), ("1_2", true)])
    func `a client with TLS 1.1 is rejected`(version: String, isAccepted: Bool) async throws {
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1"))
        let server = try await TestServer { $0.certificate = (pair.certificate, pair.key) }
        let run = CommandRun(
            [
                "/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(try #require(server.port))", "-tls\(version)",
                "-cipher", "ALL:@SECLEVEL=0",
            ], environment: [:], directory: "/")
        #expect((run.status == 0) == isAccepted, "\(run.text)\(run.errorText)")
        #expect(run.errorText.contains("alert protocol version") == !isAccepted, "\(run.errorText)")
    }

    @Test(
        arguments: ["OPTIONS", "POST"],
        ["127.0.0.1", "flags.example.com", "evil.com", "127.0.0.1:evil", "127.0.0.1:1, evil.com"])
    func `a preflight is answered only by a name of the server, as the request itself`(
        method: String, host: String
    ) async throws {
        let server = try await TestServer(["flag": "a"]) { settings in
            settings.hostNames = ["flags.example.com"]
            settings.allowedOrigins = ["http://localhost:3000"]
        }
        let (isOwn, body) = (!host.contains("evil"), #"{"context":{}}"#)
        for (origin, isAllowed) in [("http://localhost:3000", true), ("http://evil.com", false), ("null", false)] {
            let fields = [
                "Host: \(host)", "Origin: \(origin)", "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: content-type", "Content-Length: \(body.utf8.count)",
                "Connection: close",
            ]
            let head = "\(method) /ofrep/v1/evaluate/flags/flag HTTP/1.1\r\n" + fields.joined(separator: "\r\n")
            let text = try await server.exchange(["\(head)\r\n\r\n\(body)"])
            let success = method == "OPTIONS" ? 204 : 200
            #expect(text.hasPrefix("HTTP/1.1 \(isOwn && isAllowed ? success : 403) "), "\(text)")
            #expect(text.contains("Access-Control-Allow-Methods") == (success == 204 && isOwn && isAllowed), "\(text)")
            #expect(text.contains("Access-Control-Allow-Origin: \(origin)\r\n") == isAllowed, "\(text)")
            #expect(text.contains("Vary: Origin\r\n") == isAllowed, "\(text)")
        }
    }

    @Test func `every path is closed to other names and other sites, whatever the token`() async throws {
        let server = try await TestServer(["flag": "a"]) { settings in
            settings.allowedOrigins = ["http://localhost:3000"]
            settings.limits.rejectionsPerSecond = 1_000
        }
        for line in [
            "GET /", "GET /page.js", "GET /login?code=x", "GET /api/v1/flags", "GET /api/v1/events",
            "PUT /api/v1/overrides/flag", "DELETE /api/v1/overrides", "OPTIONS /api/v1/overrides", "POST /api/v1/undo",
            "POST /api/v1/links", "POST /api/v1/scenarios/demo/apply", "POST /ofrep/v1/evaluate/flags",
            "POST /ofrep/v1/evaluate/flags/flag", "OPTIONS /ofrep/v1/evaluate/flags",
        ] {
            var senders = [
                "Host: evil.com", "Host: 127.0.0.1\r\nOrigin: http://evil.com", "Host: 127.0.0.1\r\nOrigin: null",
                "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors",
            ]
            // This site may evaluate flags, and nothing else.
            if !line.contains("/ofrep/") { senders.append("Host: 127.0.0.1\r\nOrigin: http://localhost:3000") }
            for sender in senders {
                let token = "Authorization: Bearer \(server.server.tokens.writing.text)"
                let head = "\(line) HTTP/1.1\r\n\(sender)\r\n\(token)\r\nConnection: close\r\n\r\n"
                let text = try await server.exchange([head])
                #expect(text.hasPrefix("HTTP/1.1 403 "), "\(head)\(text)")
                #expect(!text.contains("Access-Control-Allow-Origin"), "\(head)\(text)")
            }
        }
        #expect(server.flags.activeOverrides.isEmpty)
    }

    @Test func `a link gives a cookie with which only the server's own pages may write`() async throws {
        let server = try await TestServer(["flag": "a"])
        let url = server.location.url
        func send(_ line: String, _ fields: String = "") async throws -> String {
            let host = "Host: \(url.dropFirst("http://".count))"
            return try await server.exchange(["\(line) HTTP/1.1\r\n\(host)\r\n\(fields)Connection: close\r\n\r\n"])
        }
        let opened = try await send("GET \(server.location.link.dropFirst(url.count))")
        let line = try #require(opened.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
        let words = line.dropFirst("Set-Cookie: ".count).split(separator: "; ")
        #expect(opened.hasPrefix("HTTP/1.1 303 ") && words.dropFirst() == ["Path=/", "HttpOnly", "SameSite=Strict"])
        for (origin, status) in [(url, 200), ("http://localhost:1", 403)] {
            let text = try await send("POST /api/v1/links", "Cookie: \(words[0])\r\nOrigin: \(origin)\r\n")
            #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        }
    }

    @Test func `a request of another site without an origin is rejected, and a link is not`() throws {
        #expect(throws: APIError.self) {
            try access("localhost", [.secFetchSite: "cross-site", .secFetchMode: "no-cors"])
        }
        #expect(try access("localhost", [.secFetchSite: "cross-site", .secFetchMode: "navigate"]) == .read)
    }

    @Test(arguments: [
        (["Authorization": "Bearer \(writing)"], "write"), (["Authorization": "bearer  \(writing)"], "write"),
        (["X-API-Key": writing], "write"), (["Authorization": "Bearer \(reading)"], "read"),
        (["X-API-Key": reading], "read"), ([:], "none"), (["Authorization": "Basic \(writing)"], "none"),
        (["Authorization": "Bearer \(writing)x"], "none"), (["Authorization": "Bearer"], "none"),
        (["Cookie": "flagmenu-session=\(writing)"], "none"),
    ])
    func `beyond loopback, reading needs a token`(fields: [String: String], expected: String) throws {
        var headers = HTTPFields()
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        let access = try? access("192.168.1.20", headers, at: "192.168.1.20", readToken: true)
        #expect(access.map { "\($0)" } ?? "none" == expected)
    }

    @Test func `a link opens once, within ten minutes, and its session may write`() throws {
        let clock = ManualClock()
        let sessions = Sessions(now: { clock.now })
        let (first, second) = (sessions.makeCode(), sessions.makeCode())
        let session = try #require(sessions.open(first.text))
        #expect(sessions.open(first.text) == nil && sessions.isOpen(session.text) && !sessions.isOpen(first.text))
        clock.turn(by: Sessions.linkLifetime + 1)
        #expect(sessions.open(second.text) == nil && sessions.open("") == nil && !sessions.isOpen(""))
    }

    @Test func `HEAD reads what GET reads, and opens no session`() throws {
        func methods(_ purpose: Route.Purpose, _ method: HTTPRequest.Method) -> [HTTPRequest.Method] {
            Route(purpose, method, "/") { _ in Response(status: .ok) }.methods
        }
        #expect(methods(.read, .get) == [.get, .head] && methods(.login, .get) == [.get])
        #expect(methods(.write, .post) == [.post])
    }

    @Test(arguments: [
        ("/flags/a", "a"), ("/flags/a%2Fb", "a/b"), ("/flags/a/b", "a/b"), ("/flags/%20", " "), ("/flags", nil),
        ("/flags/", nil), ("//flags", nil), ("/other/a", nil), ("/", nil),
    ])
    func `a route with a key needs one, and takes the rest of the path`(path: String, key: String?) {
        let route = Route(.read, .get, "/flags/*") { _ in Response(status: .ok) }
        #expect(route.key(in: Route.segments(of: path)) == key)
        let plain = Route(.read, .get, "/flags") { _ in Response(status: .ok) }
        #expect((plain.key(in: Route.segments(of: path)) != nil) == (path == "/flags"))
    }

    @Test func `tokens are long, random and compared whole`() {
        let token = AccessToken()
        #expect(token.text.utf8.count == 32 && token != AccessToken())
        #expect(token.isEqual(to: token.text) && !token.isEqual(to: token.text.dropLast()) && !token.isEqual(to: ""))
        #expect(AccessToken("short") == nil && AccessToken("has a space in it, and is long") == nil)
    }
}
#endif
