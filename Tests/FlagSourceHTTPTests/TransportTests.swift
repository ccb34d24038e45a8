#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceURLSession
import FlagTesting
import Synchronization
import TestSupport
import Testing

/// What every transport does.
@Suite(.limitedParallelism)
struct TransportTests {
    /// Each test has transports of its own, with no open connections.
    private static var transports: [any SourceTransport] {
        [HTTPTransport(TransportSettings(userAgent: "flagmenu/test")), URLSessionTransport(userAgent: "flagmenu/test")]
    }

    @Test(arguments: transports)
    func `method, URL, headers and body arrive unchanged, and the response is complete`(transport: any SourceTransport)
        async throws
    {
        let server = try await LoopbackServer { _ in
            .respond(SourceResponse(status: 404, headers: SourceHeaders([("ETag", "W/\"1\"")]), body: [1, 2, 3]))
        }
        var headers = SourceHeaders([("X-Twice", "1"), ("X-Twice", "2")])
        headers.set("Authorization", secret: Secret("hush"), prefix: "Bearer ")
        let result = try await transport.send(
            SourceRequest("\(server.url)/a%20b?c=d%26", .post, headers, body: Array("{}".utf8)))
        #expect(result.status == 404 && result.body == [1, 2, 3] && result.headers["etag"] == "W/\"1\"")
        let seen = try #require(server.requests.first)
        #expect(
            seen.method == "POST" && seen.path == "/a%20b" && seen.query("c") == "d&" && seen.body == Array("{}".utf8))
        #expect(seen.headers["User-Agent"] == "flagmenu/test" && seen.headers["Authorization"] == "Bearer hush")
        // `URLSession` joins headers with one name.
        let values = seen.headers.fields.filter { $0.name == "X-Twice" }.map(\.value)
        #expect(values.joined(separator: ",") == "1,2")
    }

    @Test(arguments: transports, SourceRequest.Method.allCases)
    func `each method is sent without a body`(transport: any SourceTransport, method: SourceRequest.Method) async throws
    {
        let server = try await LoopbackServer { _ in .json("{}") }
        #expect(try await transport.send(SourceRequest(server.url, method)).status == 200)
        let seen = try #require(server.requests.first)
        #expect(seen.method == method.rawValue && seen.body.isEmpty)
    }

    @Test(arguments: transports)
    func `user and password of a URL are not sent`(transport: any SourceTransport) async throws {
        let server = try await LoopbackServer { _ in
            .json("[1]", status: 401, headers: [("WWW-Authenticate", "Basic realm=\"a\"")])
        }
        let url = server.url.replacing("http://", with: "http://ana:hush@")
        let response = try await transport.send(SourceRequest(url))
        #expect(response.status == 401 && response.body == Array("[1]".utf8))
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil])
    }

    @Test(arguments: transports)
    func `progress reports the received bytes, and the total if the service sends it`(transport: any SourceTransport)
        async throws
    {
        let server = try await LoopbackServer { _ in .bytes([UInt8](repeating: 7, count: 300_000)) }
        let seen = Mutex<[SourceProgress]>([])
        let result = try await transport.send(SourceRequest(server.url), limits: .generous) { updates in
            seen.withLock { $0.append(updates) }
        }
        #expect(result.body.count == 300_000)
        #expect(seen.withLock { $0.last } == .received(bytes: 300_000, of: 300_000))
    }

    @Test(arguments: transports)
    func `a gzip response is decompressed`(transport: any SourceTransport) async throws {
        let text = Array(String(repeating: "flag ", count: 10_000).utf8)
        // The text as `gzip -9n` compresses it.
        let base64 =
            "H4sIAAAAAAACA+3EIREAAAgEsCpUwzyG/poe3CaW7alIkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJ"
            + "kiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiTpSwdh/52qUMMAAA=="
        let bytes = try #require(Base64Text.bytes(base64))
        let server = try await LoopbackServer { _ in .bytes(bytes, coding: "gzip") }
        #expect(try await transport.send(SourceRequest(server.url)).body == text)
        #expect(server.requests.first?.headers["Accept-Encoding"] == "gzip, deflate")
    }

    @Test(arguments: transports)
    func `a gzip bomb, a long body and an endless stream fail at the size limit`(transport: any SourceTransport)
        async throws
    {
        let bomb = GzipBytes.bomb(size: 64 << 20)
        let server = try await LoopbackServer { request in
            switch request.path {
            case "/bomb": .bytes(bomb, coding: "gzip")
            case "/fits": .bytes([UInt8](repeating: 0, count: 1 << 20))
            case "/stream": .stream(name: "endless", contentType: "text/plain")
            default: .bytes([UInt8](repeating: 0, count: 1 << 20 + 1))
            }
        }
        let limits = SourceLimits(idleTimeout: .seconds(60), total: .seconds(120), bodySize: 1 << 20)
        #expect(try await transport.send(SourceRequest("\(server.url)/fits"), limits).body.count == 1 << 20)
        let long = try await transport.failure(SourceRequest("\(server.url)/long"), limits)
        let inflated = try await transport.failure(SourceRequest("\(server.url)/bomb"), limits)
        #expect(long.code == .tooLarge && inflated.code == .tooLarge && long.sentence != inflated.sentence)
        let stream = try SourceRequest("\(server.url)/stream")
        async let endless = transport.failure(stream, limits)
        try await server.waitForListener("endless")
        for _ in 0..<20 { await server.push([UInt8](repeating: 0, count: 100_000), to: "endless") }
        #expect(try await endless.code == .tooLarge)
    }

    @Test(arguments: transports)
    func `each transport fault has its own error`(transport: any SourceTransport) async throws {
        let body = SourceResponse(status: 200, body: [UInt8](repeating: 65, count: 1_000))
        let server = try await LoopbackServer { _ in .respond(body) }
        let cells: [(LoopbackReply, SourceLimits, SourceError.Code, String)] = [
            (.reset, .generous, .unreachable, "reset the connection"),
            (.hang, SourceLimits(idleTimeout: .seconds(1)), .timedOut, "sent nothing for 1 s"),
            (
                // The whole takes minutes, so that it never ends before the limit on a busy machine.
                .drip(body, pause: .milliseconds(200)), SourceLimits(total: .milliseconds(300)), .timedOut,
                "completely within 300 ms"
            ),
            (.truncated(body), .generous, .unreachable, "before the response was complete"),
            (.raw(Array("<html>\r\n\r\n".utf8)), .generous, .malformed, "is not HTTP"),
            (.bytes(Array(1...12), coding: "gzip"), .generous, .malformed, "damaged"),
            (.bytes([1], coding: "br"), .fetch, .malformed, "was not requested"),
        ]
        for (reply, limits, code, words) in cells {
            server.recover()
            server.inject(reply, times: .max)
            let error = try await transport.failure(SourceRequest(server.url), limits)
            #expect(error.code == code && error.sentence.contains(words) && error.path == "flags", "\(error)")
        }
    }

    @Test(arguments: transports)
    func `a connection that cannot be made has an error that names the cause`(transport: any SourceTransport)
        async throws
    {
        let server = try await LoopbackServer { _ in .json("{}") }
        await server.refuse()
        let refused = try await transport.failure(SourceRequest(server.url))
        #expect(refused.code == .unreachable && refused.sentence.contains("refused the connection"), "\(refused)")
        #expect(refused.cause == .unconnected)
        try await server.accept()
        #expect(try await transport.send(SourceRequest(server.url)).status == 200)
        let unknown = try await transport.failure(SourceRequest("http://nohost.invalid/"))
        #expect(unknown.cause == .unknownHost("nohost.invalid"), "\(unknown)")
    }

    @Test(arguments: transports)
    func `redirects are followed within the origin with all headers, method and body`(transport: any SourceTransport)
        async throws
    {
        let server = try await LoopbackServer { request in
            request.path == "/old" ? .status(308, headers: [("Location", "/new?x=1")]) : .json("{}")
        }
        var headers = SourceHeaders()
        headers.set("Authorization", secret: Secret("hush"))
        #expect(try await transport.send(SourceRequest("\(server.url)/old", .post, headers, body: [1])).status == 200)
        let last = try #require(server.requests.last)
        #expect(last.path == "/new" && last.query == "x=1" && last.method == "POST" && last.body == [1])
        #expect(last.headers["Authorization"] == "hush")
    }

    @Test(arguments: transports)
    func `credentials and bodies are not sent to another origin`(transport: any SourceTransport) async throws {
        let otherServer = try await LoopbackServer { _ in .json("{}") }
        let target = otherServer.url
        let server = try await LoopbackServer { _ in .status(307, headers: [("Location", "\(target)/x")]) }
        var headers = SourceHeaders([("Accept", "application/json"), ("Cookie", "hush")])
        headers.set("Authorization", secret: Secret("hush"))
        headers.set("X-Own", secret: Secret("hush"))
        #expect(try await transport.send(SourceRequest(server.url, .get, headers)).status == 200)
        let seen = try #require(otherServer.requests.first)
        #expect(seen.headers["Accept"] == "application/json" && !"\(seen.headers.fields.map(\.value))".contains("hush"))
        let refused = try await transport.failure(SourceRequest(server.url, .post, headers, body: [1]))
        #expect(refused.code == .insecure && otherServer.requests.count == 1)
    }

    @Test(arguments: transports, [401, 403])
    func `a redirect that loses the credentials is named as the cause if the request is then rejected`(
        transport: any SourceTransport, status: Int
    )
        async throws
    {
        let otherServer = try await LoopbackServer { _ in .status(status) }
        let target = otherServer.url
        let server = try await LoopbackServer { _ in .status(301, headers: [("Location", "\(target)/x")]) }
        var headers = SourceHeaders()
        headers.set("Authorization", secret: Secret("hush"))
        let error = try await transport.failure(SourceRequest(server.url, .get, headers))
        #expect(error.code == .insecure && error.cause == .redirect, "\(error)")
        #expect(
            error.sentence.contains("redirects to \(target)")
                && error.sentence.contains("got no credentials"),
            "\(error)")
        #expect(
            try await transport.send(SourceRequest(server.url)).status == status,
            "a request without credentials has lost none")
    }

    @Test(arguments: transports)
    func `a redirect to another host with a credential in the URL is not followed, nor is that of a publication`(
        transport: any SourceTransport
    )
        async throws
    {
        let otherServer = try await LoopbackServer { _ in .json("{}") }
        let target = otherServer.url
        let server = try await LoopbackServer { request in
            .status(307, headers: [("Location", "\(target)\(request.path)?\(request.query ?? "")")])
        }
        var keyed = try SourceRequest("\(server.url)/api/features/hush-key")
        keyed.pathSecret = Secret("hush-key")
        for request in [keyed, try SourceRequest("\(server.url)/eval?h=hush-hash")] {
            let error = try await transport.failure(request)
            #expect(error.code == .insecure && error.sentence.contains("a credential in the URL"), "\(error)")
            #expect(!error.sentence.contains("hush"))
        }
        #expect(otherServer.requests.isEmpty)
        server.respond { _ in .status(303, headers: [("Location", "/other")]) }
        var publication = try SourceRequest(server.url, .put, SourceHeaders(), body: [1])
        publication.isPublishing = true
        let error = try await transport.failure(publication)
        #expect(error.sentence.contains("redirects the publication") && server.requests.count == 3, "\(error)")
    }

    @Test(arguments: transports)
    func `a redirect from this machine to unencrypted http on another host is rejected`(transport: any SourceTransport)
        async throws
    {
        let server = try await LoopbackServer { _ in
            .status(302, headers: [("Location", "http://127.0.0.1.example.com/")])
        }
        let error = try await transport.failure(SourceRequest(server.url))
        #expect(error.code == .insecure && error.sentence.contains("from this machine to http"), "\(error)")
    }

    @Test(arguments: transports)
    func `a failure after a redirect names the redirected address`(transport: any SourceTransport) async throws {
        let closedServer = try await LoopbackServer { _ in .json("{}") }
        let port = closedServer.port
        await closedServer.refuse()
        let server = try await LoopbackServer { _ in
            .status(302, headers: [("Location", "http://127.0.0.1:\(port)/")])
        }
        let error = try await transport.failure(SourceRequest(server.url))
        #expect(error.sentence.contains("127.0.0.1:\(port) refused"), "\(error)")
        // While the server exists, no other process gets its port.
        #expect(closedServer.requests.isEmpty)
    }

    @Test(arguments: transports, [300, 301, 302, 303, 304, 305, 306, 307, 308, 204])
    func `a redirect without a target is a response, as is a response without a body`(
        transport: any SourceTransport, status: Int
    ) async throws {
        let server = try await LoopbackServer { _ in .status(status, headers: [("X-Seen", "1")]) }
        for _ in 1...2 {
            let response = try await transport.send(SourceRequest(server.url))
            #expect(response.status == status && response.headers["X-Seen"] == "1" && response.body.isEmpty)
        }
    }

    @Test(
        arguments: transports,
        [
            "", "//", "?", "#", "http:", "http:x", "http://[", "http://[::1]:1/x", "file:///etc/passwd", "%zz",
            "//a b/",
        ])
    func `a redirect to an address of any form is followed or an error`(
        transport: any SourceTransport, location: String
    ) async throws {
        let server = try await LoopbackServer { request in
            request.path == "/start" ? .status(302, headers: [("Location", location)]) : .json("{}")
        }
        let request = try SourceRequest("\(server.url)/start")
        do {
            #expect([200, 302].contains(try await transport.send(request).status))
        } catch let error as SourceError {
            #expect([.rejected, .unreachable].contains(error.code), "\(error)")
        }
    }

    @Test(arguments: transports)
    func `neither cookies nor responses are kept`(transport: any SourceTransport) async throws {
        let server = try await LoopbackServer { _ in
            .json("{}", headers: [("Set-Cookie", "a=b"), ("Cache-Control", "max-age=1000"), ("ETag", "\"1\"")])
        }
        for _ in 1...2 { #expect(try await transport.send(SourceRequest(server.url)).status == 200) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.headers["Cookie"] == nil && $0.headers["If-None-Match"] == nil })
    }

    @Test(.mayBlock, arguments: transports)
    func `a stream delivers events as they are sent, and either side can end it`(transport: any SourceTransport)
        async throws
    {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        let client = SourceClient(transport: transport)
        var iterator = try await client.events(SourceRequest(server.url))
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
            var events = try await client.events(SourceRequest(server.url))
            while try await events.next() != nil { count += 1 }
            return count
        }
        try await server.waitForListener("s")
        task.cancel()
        _ = await task.result
        #expect(Clock.wait { server.listeners("s") == 0 }, "the stream is still open")
    }

    @Test(.mayBlock, arguments: transports)
    func `a request that is cancelled ends, and its connection is closed`(transport: any SourceTransport) async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "application/json") }
        let request = try SourceRequest(server.url)
        let task = Task { try await transport.failure(request) }
        try await server.waitForListener("s")
        task.cancel()
        #expect(try await task.value.code == .cancelled)
        #expect(Clock.wait { server.listeners("s") == 0 }, "the connection is still open")
    }

    @Test(arguments: transports)
    func `an idle stream times out`(transport: any SourceTransport) async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        var client = SourceClient(transport: transport)
        client.streamLimits.idleTimeout = .milliseconds(1_500)
        var iterator = try await client.events(SourceRequest(server.url))
        let error = await #expect(throws: SourceError.self) { while try await iterator.next() != nil {} }
        #expect(error?.code == .timedOut && error?.sentence.contains("nothing on its stream") == true)
    }
}
#endif
