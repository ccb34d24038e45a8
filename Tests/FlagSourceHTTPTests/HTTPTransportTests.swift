#if Network
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing

/// What only the transport with async-http-client does.
@Suite(.limitedParallelism)
struct HTTPTransportTests {
    private let transport = HTTPTransport()

    private static func transport(_ variable: String, _ proxy: String) -> HTTPTransport {
        HTTPTransport(TransportSettings(proxies: Proxies(environment: [variable: proxy])))
    }

    @Test(arguments: [204, 304], ["gzip", "deflate", "br"])
    func `a response without a body may describe the coding of one`(status: Int, coding: String) async throws {
        let server = try await LoopbackServer { _ in .status(status, headers: [("Content-Encoding", coding)]) }
        for _ in 1...2 {
            let response = try await transport.send(SourceRequest(server.url))
            #expect(response.status == status && response.body.isEmpty)
        }
    }

    @Test func `a proxy forwards requests of http, with the whole URL and its own credentials`() async throws {
        let proxy = try await LoopbackServer { _ in .json("{}") }
        let transport = Self.transport("http_proxy", proxy.url.replacing("http://", with: "http://ana:hush@"))
        for port in ["", ":8080"] {
            let url = "http://flags.example.com\(port)/a%20b?c=d"
            let response = try await transport.send(SourceRequest(url, .post, SourceHeaders(), body: [1]))
            let seen = try #require(proxy.requests.last)
            #expect(response.status == 200 && seen.method == "POST" && seen.body == [1])
            #expect(seen.path == "http://flags.example.com\(port)/a%20b" && seen.query == "c=d")
            #expect(seen.headers["Host"] == "flags.example.com\(port)")
            #expect(seen.headers["Proxy-Authorization"] == "Basic YW5hOmh1c2g=")
        }
        // A proxy may quote its own credentials.
        proxy.respond { .json("\"\($0.headers["Proxy-Authorization"] ?? "") ana:hush\"", status: 502) }
        let quoting = try await transport.send(SourceRequest("http://flags.example.com/"))
        #expect(String(decoding: quoting.body, as: UTF8.self) == "\"Basic *** ***\"")
        let direct = try await LoopbackServer { _ in .json("{}") }
        #expect(try await transport.send(SourceRequest(direct.url)).status == 200)
        #expect(direct.requests.count == 1, "a service on this machine is reached directly")
        proxy.respond { _ in .status(407) }
        let failure = await #expect(throws: SourceError.self) {
            try await SourceClient(transport: transport).send(SourceRequest("http://flags.example.com/"))
        }
        #expect(failure?.sentence.contains("the proxy needs a user") == true, "\(String(describing: failure))")
    }

    @Test func `after shutdown no request is sent, and a second shutdown is harmless`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let request = try SourceRequest(server.url)
        _ = try await transport.send(request)
        await transport.shutdown()
        await transport.shutdown()
        _ = try await transport.failure(request)
        #expect(server.requests.count == 1)
    }

    @Test func `nothing is sent if the proxy is not usable`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let transport = Self.transport("http_proxy", "socks5://127.0.0.1:\(server.port)")
        let error = try await transport.failure(SourceRequest("http://flags.example.com"))
        #expect(error.code == .rejected && error.sentence.contains("http_proxy"), "\(error)")
        #expect(server.requests.isEmpty)
    }

    @Test func `an unknown proxy host is reported as the cause, not the service`() async throws {
        let transport = Self.transport("http_proxy", "http://nohost.invalid:3128")
        let error = try await transport.failure(SourceRequest("http://flags.example.com/"))
        #expect(error.sentence.contains("proxy host nohost.invalid not found"), "\(error)")
    }

    @Test(arguments: ["header", "address", "redirect"])
    func `a request head that is longer than servers accept is not sent`(part: String) async throws {
        let long = String(repeating: "r", count: 70_000)
        let server = try await LoopbackServer { request in
            request.path == "/away" ? .status(307, headers: [("Location", "/\(long)")]) : .json("{}")
        }
        var headers = SourceHeaders()
        if part == "header" { headers.set("Authorization", secret: Secret(long)) }
        let path = part == "address" ? long : part == "redirect" ? "away" : ""
        let error = try await transport.failure(SourceRequest("\(server.url)/\(path)", .post, headers, body: [1]))
        #expect(error.code == .rejected && error.sentence.contains("at most 49152 are sent"), "\(error)")
        #expect(error.cause == (part == "redirect" ? .redirect : nil))
        #expect(!error.sentence.contains("rrrr") && server.requests.count == (part == "redirect" ? 1 : 0))
        var short = SourceHeaders()
        short.set("Authorization", secret: Secret(String(long.prefix(45_000))))
        #expect(try await transport.send(SourceRequest(server.url, .post, short, body: [1])).status == 200)
    }

    @Test func `an ETag that is too long to send back is not used as a version`() throws {
        for (count, isUsed) in [(8_192, true), (8_193, false)] {
            let tag = String(repeating: "e", count: count)
            let response = SourceResponse(status: 200, headers: SourceHeaders([("ETag", tag)]), body: [1])
            let result = try FetchResult(response, since: nil, of: "t")
            #expect(result == .values([1], version: isUsed ? tag : nil))
        }
    }

    @Test func `a proxy gets CONNECT with its credentials, and a rejection by it is an error`() async throws {
        let proxy = try await LoopbackServer { _ in .status(407) }
        let transport = Self.transport("HTTPS_PROXY", "http://ana:hush@127.0.0.1:\(proxy.port)")
        let error = try await transport.failure(SourceRequest("https://flags.example.com/"))
        #expect(error.code == .unreachable && !error.sentence.contains("hush"), "\(error)")
        #expect(error.remedies.first?.contains("proxy variable") == true)
        let seen = try #require(proxy.requests.first)
        #expect(seen.method == "CONNECT" && seen.headers["Proxy-Authorization"] == "Basic YW5hOmh1c2g=")
    }
}
#endif
