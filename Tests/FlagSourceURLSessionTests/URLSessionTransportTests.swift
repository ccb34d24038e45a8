#if Network
import FlagModel
import FlagRemote
import FlagSourceURLSession
import FlagTesting
import Synchronization
import TestSupport
import Testing
import VendorServers

@Suite(.limitedParallelism)
struct URLSessionTransportTests {
    /// Long enough for a machine that runs a thousand tests at the same time.
    private static let generous = SourceLimits(idleTimeout: .seconds(60), total: .seconds(120))

    private let transport = URLSessionTransport(userAgent: "flagmenu/test")

    private func request(
        _ url: String, _ method: SourceRequest.Method = .get, _ headers: SourceHeaders = SourceHeaders(),
        body: [UInt8] = []
    ) throws -> SourceRequest {
        SourceRequest(source: "flags", method: method, url: try #require(SourceURL(url)), headers: headers, body: body)
    }

    private func send(_ request: SourceRequest, _ limits: SourceLimits = generous) async throws -> SourceResponse {
        try await transport.send(request, limits: limits) { _ in }
    }

    private static func reply(_ body: [UInt8], coding: String? = nil) -> LoopbackReply {
        let headers = coding.map { [("Content-Encoding", $0)] } ?? []
        return .respond(SourceResponse(status: 200, headers: SourceHeaders(headers), body: body))
    }

    /// The error with which a request must fail.
    private func failure(_ request: SourceRequest, _ limits: SourceLimits = generous) async throws -> SourceError {
        try await #require(throws: SourceError.self) { try await send(request, limits) }
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
        #expect(seen.headers["X-Twice"] == "1,2", "`URLSession` joins headers with one name")
    }

    @Test(arguments: SourceRequest.Method.allCases) func `each method is sent without a body`(
        method: SourceRequest.Method
    ) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        #expect(try await send(request(server.url, method)).status == 200)
        let seen = try #require(server.requests.first)
        #expect(seen.method == method.rawValue && seen.body.isEmpty)
    }

    @Test func `user and password of a URL are not sent`() async throws {
        let server = try await LoopbackServer { _ in
            .json("[1]", status: 401, headers: [("WWW-Authenticate", "Basic realm=\"a\"")])
        }
        let url = server.url.replacing("http://", with: "http://ana:hush@")
        let response = try await send(request(url))
        #expect(response.status == 401 && response.body == Array("[1]".utf8))
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil])
    }

    @Test func `progress reports the received bytes, and the total if the service sends it`() async throws {
        let server = try await LoopbackServer { _ in Self.reply([UInt8](repeating: 7, count: 300_000)) }
        let seen = Mutex<[SourceProgress]>([])
        let result = try await transport.send(request(server.url), limits: Self.generous) { updates in
            seen.withLock { $0.append(updates) }
        }
        #expect(result.body.count == 300_000)
        #expect(seen.withLock { $0.last } == .received(bytes: 300_000, of: 300_000))
    }

    @Test func `a gzip response is decompressed`() async throws {
        // "flag " as `gzip -9n` compresses it.
        let bytes = try #require(Base64Text.bytes("H4sIAAAAAAACA0vLSUxXAAD0QWf5BQAAAA=="))
        let server = try await LoopbackServer { _ in Self.reply(bytes, coding: "gzip") }
        #expect(try await send(request(server.url)).body == Array("flag ".utf8))
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
            (.hang, SourceLimits(idleTimeout: .seconds(1)), .timedOut, "sent nothing for 1 s"),
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
            server.inject(reply, times: .max)
            let error = try await failure(request(server.url), limits)
            #expect(error.code == code && error.sentence.contains(words) && error.path == "flags", "\(error)")
        }
        server.recover()
        await server.refuse()
        let refused = try await failure(request(server.url))
        #expect(refused.code == .unreachable && refused.sentence.contains("refused the connection"), "\(refused)")
        #expect(refused.cause == .unconnected)
        try await server.accept()
        #expect(try await send(request(server.url)).body.count == 1_000)
        let unknown = try await failure(request("http://nohost.invalid/"))
        #expect(unknown.cause == .unknownHost("nohost.invalid"), "\(unknown)")
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

    @Test(arguments: [300, 301, 302, 303, 304, 305, 306, 307, 308, 204])
    func `a redirect without a target is a response, as is a response without a body`(status: Int) async throws {
        let server = try await LoopbackServer { _ in .status(status, headers: [("X-Seen", "1")]) }
        for _ in 1...2 {
            let response = try await send(request(server.url))
            #expect(response.status == status && response.headers["X-Seen"] == "1" && response.body.isEmpty)
        }
    }

    @Test(arguments: [
        "", "//", "?", "#", "http:", "http:x", "http://[", "http://[::1]:1/x", "file:///etc/passwd", "%zz", "//a b/",
    ])
    func `a redirect to an address of any form is followed or an error`(location: String) async throws {
        let server = try await LoopbackServer { request in
            request.path == "/start" ? .status(302, headers: [("Location", location)]) : .json("{}")
        }
        let request = try request("\(server.url)/start")
        do {
            #expect([200, 302].contains(try await send(request).status))
        } catch let error as SourceError {
            #expect([.rejected, .unreachable].contains(error.code), "\(error)")
        }
    }

    @Test func `neither cookies nor responses are kept`() async throws {
        let server = try await LoopbackServer { _ in
            .json("{}", headers: [("Set-Cookie", "a=b"), ("Cache-Control", "max-age=1000"), ("ETag", "\"1\"")])
        }
        for _ in 1...2 { #expect(try await send(request(server.url)).status == 200) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.headers["Cookie"] == nil && $0.headers["If-None-Match"] == nil })
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

    @Test(.mayBlock) func `a request that is cancelled ends, and its connection is closed`() async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "application/json") }
        let request = try request(server.url)
        let task = Task { try await failure(request) }
        try await server.waitForListener("s")
        task.cancel()
        #expect(try await task.value.code == .cancelled)
        #expect(Clock.wait { server.listeners("s") == 0 }, "the connection is still open")
    }

    @Test func `a stream that is read too slowly ends before it fills the memory`() async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        let limits = SourceLimits(idleTimeout: .seconds(60), total: .seconds(120), bodySize: 1 << 20)
        let stream = try await transport.open(request(server.url), limits: limits)
        try await server.waitForListener("s")
        for _ in 0..<20 { await server.push([UInt8](repeating: 0, count: 100_000), to: "s") }
        try await wait(for: "end of the connection") { server.listeners("s") == 0 }
        let error = await #expect(throws: SourceError.self) { for try await _ in stream.chunks {} }
        #expect(error?.code == .tooLarge && error?.sentence.contains("before they were read") == true)
    }

    @Test func `an idle stream times out`() async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        var client = SourceClient(transport: transport)
        client.streamLimits.idleTimeout = .milliseconds(1_500)
        var iterator = try await client.events(request(server.url))
        let error = await #expect(throws: SourceError.self) { while try await iterator.next() != nil {} }
        #expect(error?.code == .timedOut && error?.sentence.contains("nothing on its stream") == true)
    }

    @Test func `after shutdown no request is sent, and a second shutdown is harmless`() async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        let stream = try await transport.open(request(server.url), limits: Self.generous)
        transport.shutdown()
        transport.shutdown()
        let ended = await #expect(throws: SourceError.self) { for try await _ in stream.chunks {} }
        #expect(ended?.code == .cancelled)
        #expect(try await failure(request(server.url)).code == .cancelled)
        #expect(server.requests.count == 1)
    }

    // FoundationNetworking has no setting for trusted authorities, so no test on Linux has a certificate that is valid.
    @Test func `a certificate that nobody trusts is rejected, as is a server without TLS`() async throws {
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1"), "openssl could not create the certificate")
        let server = try await LoopbackServer(certificate: (pair.certificate, pair.key)) { _ in .json("{}") }
        let error = try await failure(request(server.url))
        #expect(error.code == .insecure && server.requests.isEmpty)
        #expect(error.sentence.contains("TLS: 127.0.0.1:\(server.port): its certificate"), "\(error)")
        let plain = try await LoopbackServer { _ in .json("{}") }
        let unencrypted = try await failure(request("https://127.0.0.1:\(plain.port)"))
        #expect(unencrypted.code == .insecure, "\(unencrypted)")
        #expect(unencrypted.sentence.contains("TLS handshake failed"), "\(unencrypted)")
    }
}
#endif
