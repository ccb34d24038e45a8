#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import Synchronization
import TestSupport
import Testing

@Suite(.limitedParallelism)
struct HTTPTransportTests {
    /// Long enough for a machine that runs a thousand tests at the same time.
    private static let generous = SourceLimits(idleTimeout: .seconds(60), total: .seconds(120))

    private let transport = HTTPTransport(TransportSettings(userAgent: "flagmenu/test"))

    private func request(
        _ url: String, _ method: SourceRequest.Method = .get, _ headers: SourceHeaders = SourceHeaders(),
        body: [UInt8] = []
    ) throws -> SourceRequest {
        SourceRequest(source: "flags", method: method, url: try #require(SourceURL(url)), headers: headers, body: body)
    }

    private func send(
        _ request: SourceRequest, _ limits: SourceLimits = generous, by transport: HTTPTransport? = nil
    ) async throws -> SourceResponse {
        try await (transport ?? self.transport).send(request, limits: limits) { _ in }
    }

    private static func reply(_ body: [UInt8], coding: String? = nil) -> LoopbackReply {
        let headers = coding.map { [("Content-Encoding", $0)] } ?? []
        return .respond(SourceResponse(status: 200, headers: SourceHeaders(headers), body: body))
    }

    /// The error with which a request must fail.
    private func failure(
        _ request: SourceRequest, _ limits: SourceLimits = generous, by transport: HTTPTransport? = nil
    ) async throws -> SourceError {
        try await #require(throws: SourceError.self) { try await send(request, limits, by: transport) }
    }

    @Test func `method, URL, headers and body arrive unchanged, and the response is complete`() async throws {
        let server = try await LoopbackServer { _ in
            .respond(SourceResponse(status: 404, headers: SourceHeaders([("ETag", "W/\"1\"")]), body: [1, 2, 3]))
        }
        var headers = SourceHeaders([("X-Twice", "1"), ("X-Twice", "2")])
        headers.set("Authorization", secret: Secret("hush"), prefix: "Bearer ")
        let result = try await send(request("\(server.url)/a%20b?c=d%26", .post, headers, body: Array("{}".utf8)))
        #expect(result.status == 404 && result.body == [1, 2, 3] && result.headers["etag"] == "W/\"1\"")
        let seen = try #require(server.requests.first)
        #expect(
            seen.method == "POST" && seen.path == "/a%20b" && seen.query("c") == "d&" && seen.body == Array("{}".utf8))
        #expect(seen.headers["User-Agent"] == "flagmenu/test" && seen.headers["Authorization"] == "Bearer hush")
        #expect(seen.headers.fields.filter { $0.name == "X-Twice" }.map(\.value) == ["1", "2"])
    }

    @Test func `progress reports the received bytes, and the total if the service sends it`() async throws {
        let server = try await LoopbackServer { _ in
            Self.reply([UInt8](repeating: 7, count: 300_000))
        }
        let seen = Mutex<[SourceProgress]>([])
        let result = try await transport.send(request(server.url), limits: Self.generous) { updates in
            seen.withLock { $0.append(updates) }
        }
        #expect(result.body.count == 300_000)
        #expect(seen.withLock { $0.last } == .received(bytes: 300_000, of: 300_000))
    }

    @Test func `a gzip response is decompressed`() async throws {
        let text = Array(String(repeating: "flag ", count: 10_000).utf8)
        // The text as `gzip -9n` compresses it.
        let base64 =
            "H4sIAAAAAAACA+3EIREAAAgEsCpUwzyG/poe3CaW7alIkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJ"
            + "kiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiTpSwdh/52qUMMAAA=="
        let bytes = try #require(Base64Text.bytes(base64))
        let server = try await LoopbackServer { _ in Self.reply(bytes, coding: "gzip") }
        #expect(try await send(request(server.url)).body == text)
        #expect(server.requests.first?.headers["Accept-Encoding"] == "gzip, deflate")
    }

    @Test func `a gzip bomb, a long body and an endless stream fail at the size limit`() async throws {
        let bomb = GzipBytes.bomb(size: 64 << 20)
        let server = try await LoopbackServer { request in
            switch request.path {
            case "/bomb": Self.reply(bomb, coding: "gzip")
            case "/fits": Self.reply([UInt8](repeating: 0, count: 1 << 20))
            case "/stream": .stream(name: "endless", contentType: "text/plain")
            default: Self.reply([UInt8](repeating: 0, count: 1 << 20 + 1))
            }
        }
        let limits = SourceLimits(idleTimeout: .seconds(60), total: .seconds(120), bodySize: 1 << 20)
        #expect(try await send(request("\(server.url)/fits"), limits).body.count == 1 << 20)
        let long = try await failure(request("\(server.url)/long"), limits)
        let inflated = try await failure(request("\(server.url)/bomb"), limits)
        #expect(long.code == .tooLarge && inflated.code == .tooLarge && long.sentence != inflated.sentence)
        let stream = try request("\(server.url)/stream")
        async let endless = failure(stream, limits)
        try await server.waitForListener("endless")
        for _ in 0..<20 { await server.push([UInt8](repeating: 0, count: 100_000), to: "endless") }
        #expect(try await endless.code == .tooLarge)
    }

    @Test func `each transport fault has its own error`() async throws {
        let body = SourceResponse(status: 200, body: [UInt8](repeating: 65, count: 1_000))
        let server = try await LoopbackServer { _ in .respond(body) }
        let cells: [(LoopbackReply, SourceLimits, SourceError.Code, String)] = [
            (.reset, Self.generous, .unreachable, "reset the connection"),
            (.hang, SourceLimits(idleTimeout: .milliseconds(200)), .timedOut, "sent nothing for 200 ms"),
            (
                // The whole takes minutes, so that it never ends before the limit on a busy machine.
                .drip(body, pause: .milliseconds(200)), SourceLimits(total: .milliseconds(300)), .timedOut,
                "completely within 300 ms"
            ),
            (.truncated(body), Self.generous, .unreachable, "before the response was complete"),
            (.raw(Array("<html>\r\n\r\n".utf8)), Self.generous, .malformed, "is not HTTP"),
            (Self.reply(Array(1...12), coding: "gzip"), Self.generous, .malformed, "damaged"),
            (Self.reply([1], coding: "br"), .fetch, .malformed, "was not requested"),
        ]
        for (reply, limits, code, words) in cells {
            server.recover()
            server.inject(reply)
            let error = try await failure(request(server.url), limits)
            #expect(error.code == code && error.sentence.contains(words) && error.path == "flags", "\(error)")
        }
        await server.refuse()
        // A new transport, because an open connection that ends is not a refused connection.
        let refused = try await failure(request(server.url), by: HTTPTransport())
        #expect(refused.code == .unreachable && refused.sentence.contains("refused the connection"), "\(refused)")
        try await server.accept()
        #expect(try await send(request(server.url)).body.count == 1_000)
    }

    @Test func `redirects are followed within the origin with all headers, method and body`() async throws {
        let server = try await LoopbackServer { request in
            request.path == "/old" ? .status(308, headers: [("Location", "/new?x=1")]) : .json("{}")
        }
        var headers = SourceHeaders()
        headers.set("Authorization", secret: Secret("hush"))
        #expect(try await send(request("\(server.url)/old", .post, headers, body: [1])).status == 200)
        let last = try #require(server.requests.last)
        #expect(last.path == "/new" && last.query == "x=1" && last.method == "POST" && last.body == [1])
        #expect(last.headers["Authorization"] == "hush")
    }

    @Test func `credentials and bodies are not sent to another origin`() async throws {
        let otherServer = try await LoopbackServer { _ in .json("{}") }
        let target = otherServer.url
        let server = try await LoopbackServer { _ in .status(307, headers: [("Location", "\(target)/x")]) }
        var headers = SourceHeaders([("Accept", "application/json"), ("Cookie", "hush")])
        headers.set("Authorization", secret: Secret("hush"))
        headers.set("X-Own", secret: Secret("hush"))
        #expect(try await send(request(server.url, .get, headers)).status == 200)
        let seen = try #require(otherServer.requests.first)
        #expect(seen.headers["Accept"] == "application/json" && !"\(seen.headers.fields.map(\.value))".contains("hush"))
        let refused = try await failure(request(server.url, .post, headers, body: [1]))
        #expect(refused.code == .insecure && otherServer.requests.count == 1)
    }

    @Test(arguments: [401, 403])
    func `a redirect that loses the credentials is named as the cause if the request is then rejected`(status: Int)
        async throws
    {
        let otherServer = try await LoopbackServer { _ in .status(status) }
        let target = otherServer.url
        let server = try await LoopbackServer { _ in .status(301, headers: [("Location", "\(target)/x")]) }
        var headers = SourceHeaders()
        headers.set("Authorization", secret: Secret("hush"))
        let error = try await failure(request(server.url, .get, headers))
        #expect(error.code == .insecure && error.cause == .redirect, "\(error)")
        #expect(
            error.sentence.contains("redirects to \(target)")
                && error.sentence.contains("got no credentials"),
            "\(error)")
        #expect(try await send(request(server.url)).status == status, "a request without credentials has lost none")
    }

    @Test(arguments: [204, 304], ["gzip", "deflate", "br"])
    func `a response without a body may describe the coding of one`(status: Int, coding: String) async throws {
        let server = try await LoopbackServer { _ in .status(status, headers: [("Content-Encoding", coding)]) }
        for _ in 1...2 {
            let response = try await send(request(server.url))
            #expect(response.status == status && response.body.isEmpty)
        }
    }

    @Test func `a proxy forwards requests of http, with the whole URL and its own credentials`() async throws {
        let proxy = try await LoopbackServer { _ in .json("{}") }
        let address = proxy.url.replacing("http://", with: "http://ana:hush@")
        let transport = HTTPTransport(TransportSettings(proxies: Proxies(environment: ["http_proxy": address])))
        for port in ["", ":8080"] {
            let url = "http://flags.example.com\(port)/a%20b?c=d"
            let response = try await send(request(url, .post, SourceHeaders(), body: [1]), by: transport)
            let seen = try #require(proxy.requests.last)
            #expect(response.status == 200 && seen.method == "POST" && seen.body == [1])
            #expect(seen.path == "http://flags.example.com\(port)/a%20b" && seen.query == "c=d")
            #expect(seen.headers["Host"] == "flags.example.com\(port)")
            #expect(seen.headers["Proxy-Authorization"] == "Basic YW5hOmh1c2g=")
        }
        // A proxy may quote its own credentials.
        proxy.respond { .json("\"\($0.headers["Proxy-Authorization"] ?? "") ana:hush\"", status: 502) }
        let quoting = try await send(request("http://flags.example.com/"), by: transport)
        #expect(String(decoding: quoting.body, as: UTF8.self) == "\"Basic *** ***\"")
        let direct = try await LoopbackServer { _ in .json("{}") }
        #expect(try await send(request(direct.url), by: transport).status == 200)
        #expect(direct.requests.count == 1, "a service on this machine is reached directly")
        proxy.respond { _ in .status(407) }
        let failure = await #expect(throws: SourceError.self) {
            try await SourceClient(transport: transport).send(request("http://flags.example.com/"))
        }
        #expect(failure?.sentence.contains("the proxy needs a user") == true, "\(String(describing: failure))")
    }

    @Test func `a redirect to another host with a credential in the URL is not followed, nor is that of a publication`()
        async throws
    {
        let otherServer = try await LoopbackServer { _ in .json("{}") }
        let target = otherServer.url
        let server = try await LoopbackServer { request in
            .status(307, headers: [("Location", "\(target)\(request.path)?\(request.query ?? "")")])
        }
        var keyed = try request("\(server.url)/api/features/hush-key")
        keyed.pathSecret = Secret("hush-key")
        for request in [keyed, try request("\(server.url)/eval?h=hush-hash")] {
            let error = try await failure(request)
            #expect(error.code == .insecure && error.sentence.contains("a credential in the URL"), "\(error)")
            #expect(!error.sentence.contains("hush"))
        }
        #expect(otherServer.requests.isEmpty)
        server.respond { _ in .status(303, headers: [("Location", "/other")]) }
        var publication = try request(server.url, .put, SourceHeaders(), body: [1])
        publication.isPublishing = true
        let error = try await failure(publication)
        #expect(error.sentence.contains("redirects the publication") && server.requests.count == 3, "\(error)")
    }

    @Test func `a redirect from this machine to unencrypted http on another host is rejected`() async throws {
        let server = try await LoopbackServer { _ in
            .status(302, headers: [("Location", "http://127.0.0.1.example.com/")])
        }
        let error = try await failure(request(server.url))
        #expect(error.code == .insecure && error.sentence.contains("from this machine to http"), "\(error)")
    }

    @Test(.mayBlock) func `a stream delivers events as they are sent, and either side can end it`() async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        let client = SourceClient(transport: transport)
        var iterator = try await client.events(request(server.url))
        try await server.waitForListener("s")
        await server.push(Array("data: o".utf8), to: "s")
        await server.push(Array("ne\n\ndata: two\n\n".utf8), to: "s")
        #expect(try await iterator.next()?.data == "one")
        #expect(try await iterator.next()?.data == "two")
        await server.breakOff("s")
        let error = await #expect(throws: SourceError.self) { while try await iterator.next() != nil {} }
        #expect(error?.code == .unreachable)

        let task = Task { () async throws -> Int in
            var count = 0
            var events = try await client.events(request(server.url))
            while try await events.next() != nil { count += 1 }
            return count
        }
        try await server.waitForListener("s")
        task.cancel()
        _ = await task.result
        #expect(Clock.wait { server.listeners("s") == 0 }, "the stream is still open")
    }

    @Test func `an idle stream times out`() async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        var client = SourceClient(transport: transport)
        client.streamLimits.idleTimeout = .milliseconds(1_500)
        var iterator = try await client.events(request(server.url))
        let error = await #expect(throws: SourceError.self) { while try await iterator.next() != nil {} }
        #expect(error?.code == .timedOut)
    }

    @Test func `after shutdown no request is sent, and a second shutdown is harmless`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let transport = HTTPTransport()
        let request = try request(server.url)
        _ = try await send(request, by: transport)
        await transport.shutdown()
        await transport.shutdown()
        _ = try await failure(request, by: transport)
        #expect(server.requests.count == 1)
    }

    @Test func `nothing is sent if the proxy is not usable`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let proxies = Proxies(environment: ["http_proxy": "socks5://127.0.0.1:\(server.port)"])
        let transport = HTTPTransport(TransportSettings(proxies: proxies))
        let error = try await failure(request("http://flags.example.com"), by: transport)
        #expect(error.code == .rejected && error.sentence.contains("http_proxy"), "\(error)")
        #expect(server.requests.isEmpty)
    }

    @Test func `an unknown proxy host is reported as the cause, not the service`() async throws {
        let proxies = Proxies(environment: ["http_proxy": "http://nohost.invalid:3128"])
        let transport = HTTPTransport(TransportSettings(proxies: proxies))
        let error = try await failure(request("http://flags.example.com/"), by: transport)
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
        let error = try await failure(request("\(server.url)/\(path)", .post, headers, body: [1]))
        #expect(error.code == .rejected && error.sentence.contains("at most 49152 are sent"), "\(error)")
        #expect(error.cause == (part == "redirect" ? .redirect : nil))
        #expect(!error.sentence.contains("rrrr") && server.requests.count == (part == "redirect" ? 1 : 0))
        var short = SourceHeaders()
        short.set("Authorization", secret: Secret(String(long.prefix(45_000))))
        #expect(try await send(request(server.url, .post, short, body: [1])).status == 200)
    }

    @Test func `an ETag that is too long to send back is not used as a version`() throws {
        for (count, isUsed) in [(8_192, true), (8_193, false)] {
            let tag = String(repeating: "e", count: count)
            let response = SourceResponse(status: 200, headers: SourceHeaders([("ETag", tag)]), body: [1])
            let result = try FetchResult(response, since: nil, of: "t")
            #expect(result == .values([1], version: isUsed ? tag : nil))
        }
    }

    @Test func `a failure after a redirect names the redirected address`() async throws {
        let closedServer = try await LoopbackServer { _ in .json("{}") }
        let port = closedServer.port
        await closedServer.refuse()
        let server = try await LoopbackServer { _ in
            .status(302, headers: [("Location", "http://127.0.0.1:\(port)/")])
        }
        let error = try await failure(request(server.url))
        #expect(error.sentence.contains("127.0.0.1:\(port) refused"), "\(error)")
        // While the server exists, no other process gets its port.
        #expect(closedServer.requests.isEmpty)
    }

    @Test func `a proxy gets CONNECT with its credentials, and a rejection by it is an error`() async throws {
        let proxy = try await LoopbackServer { _ in .status(407) }
        let proxies = Proxies(environment: ["HTTPS_PROXY": "http://ana:hush@127.0.0.1:\(proxy.port)"])
        let transport = HTTPTransport(TransportSettings(proxies: proxies))
        let error = try await failure(request("https://flags.example.com/"), by: transport)
        #expect(error.code == .unreachable && !error.sentence.contains("hush"), "\(error)")
        #expect(error.remedies.first?.contains("proxy variable") == true)
        let seen = try #require(proxy.requests.first)
        #expect(seen.method == "CONNECT" && seen.headers["Proxy-Authorization"] == "Basic YW5hOmh1c2g=")
    }
}
#endif
