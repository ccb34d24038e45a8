#if Server
import FlagModel
import FlagRemote
import FlagSourceHTTP
import Flags
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import FlagServer

/// Server: connections.
struct ConnectionTests {
    private func request(_ method: String, _ path: String, _ body: String = "", _ fields: String = "") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }

    private func evaluation(_ key: String, _ fields: String = "") -> String {
        request("POST", "/ofrep/v1/evaluate/flags/\(key)", #"{"context":{}}"#, fields)
    }

    /// The parts of a text that begin with one of the marks, each as its mark.
    private func order(of marks: Set<String>, in text: String) -> [String] {
        text.split(separator: "\r\n\r\n").dropFirst().flatMap { part in marks.filter { part.hasPrefix($0) } }
    }

    @Test func `responses have the order of the requests`() async throws {
        let server = try await TestServer(["a": "1", "b": "2", "c": "3"])
        let requests =
            evaluation("a") + request("GET", "/api/v1/openapi.json") + evaluation("b") + evaluation("none")
            + request("POST", "/ofrep/v1/evaluate/flags", #"{"context":{}}"#) + evaluation("a")
            + request("GET", "/nowhere") + evaluation("c", "Connection: close\r\n")
        let text = try await server.exchange([requests])
        let expected = [
            #"{"key":"a""#, "{\n  \"openapi\"", #"{"key":"b""#, #"{"key":"none""#, #"{"flags""#, #"{"key":"a""#,
            #"{"error""#, #"{"key":"c""#,
        ]
        #expect(order(of: Set(expected), in: text) == expected, "\(text)")
    }

    @Test func `thousands of evaluations of a client that reads late are all answered in order`() async throws {
        let server = try await TestServer(["a": "1"])
        let count = 4_000
        let requests = String(repeating: evaluation("a") + evaluation("none"), count: count)
        let text = try await server.exchange([requests + evaluation("a", "Connection: close\r\n")])
        let order = order(of: [#"{"key":"a""#, #"{"key":"none""#], in: text)
        #expect(order.count == 2 * count + 1)
        #expect(order.enumerated().allSatisfy { ($0 % 2 == 0) == ($1 == #"{"key":"a""#) })
    }

    @Test func `a request in pieces is answered when it is complete`() async throws {
        // On a busy machine, the pieces may take longer than the server waits for a request.
        let server = try await TestServer(["a": "1"]) { settings in
            (settings.limits.requestTime, settings.limits.idleTime) = (.seconds(300), .seconds(300))
        }
        let bytes = (evaluation("a") + evaluation("a", "Connection: close\r\n")).utf8
        let pieces = stride(from: 0, to: bytes.count, by: 7).map {
            String(decoding: bytes.dropFirst($0).prefix(7), as: UTF8.self)
        }
        let text = try await server.exchange(pieces)
        #expect(order(of: [#"{"key":"a""#], in: text).count == 2, "\(text)")
    }

    /// A server that gives a request more time than a connection without one.
    private func idleServer() async throws -> TestServer {
        try await TestServer(["a": "1"]) { settings in
            (settings.limits.requestTime, settings.limits.idleTime) = (.seconds(300), .milliseconds(200))
        }
    }

    @Test func `a connection whose head is too large ends after the idle time, even if its client does not end it`()
        async throws
    {
        let server = try await idleServer()
        // More than the server reads before it rejects the head.
        let head = "GET /\(String(repeating: "a", count: 8_000_000)) HTTP/1.1\r\n\r\n"
        // A client that sends nothing more does not notice that the server has closed a connection that it had half
        // closed before.
        #expect(try await isEnded(by: server, after: head, with: "x", endsItself: false))
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\nX-Slow: "])
    func `a connection ends after the idle time if no request is complete`(begin: String) async throws {
        let server = try await idleServer()
        #expect(try await isEnded(by: server, after: begin, with: begin.isEmpty ? nil : "x"))
    }

    @Test func `a connection ends if a body takes too long, even if bytes keep coming`() async throws {
        let server = try await TestServer(["a": "1"]) { settings in
            (settings.limits.requestTime, settings.limits.idleTime) = (.milliseconds(200), .seconds(300))
        }
        let head = "POST /ofrep/v1/evaluate/flags/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n"
        #expect(try await isEnded(by: server, after: head, with: " "))
    }

    private func openEvents(of server: TestServer, _ transport: HTTPTransport) async throws -> SourceStream {
        let url = try #require(SourceURL(server.location.url + "/ofrep/v1/events"))
        // On a busy machine, the other connection may end late.
        let limits = SourceLimits(idleTimeout: .seconds(120), total: .seconds(300))
        return try await transport.open(SourceRequest(source: "test", url: url), limits: limits)
    }

    @Test func `a stream of events outlives the idle time`() async throws {
        let server = try await TestServer(["a": "1"]) { $0.limits.idleTime = .milliseconds(200) }
        let transport = HTTPTransport()
        let stream = try await openEvents(of: server, transport)
        var chunks = stream.chunks.makeAsyncIterator()
        #expect(try await chunks.next() != nil)
        // By the time that this one ends, the stream has been idle for longer.
        #expect(try await isEnded(by: server, after: ""))
        server.flags.updateRemote(["a": "2"])
        var event = ""
        while !event.contains("refetchEvaluation") {
            event = String(decoding: try #require(try await chunks.next()), as: UTF8.self)
        }
        await transport.shutdown()
    }

    @Test(.mayBlock) func `a stream whose reader has gone gives back its place before the next comment`() async throws {
        let server = try await TestServer(["a": "1"]) { $0.limits.streamPause = 3_600 }
        let changes = server.server.flags.changes
        let others = changes.count
        let transport = HTTPTransport()
        let stream = try await openEvents(of: server, transport)
        var chunks = stream.chunks.makeAsyncIterator()
        #expect(try await chunks.next() != nil && changes.count == others + 1)
        await transport.shutdown()
        #expect(Clock.wait { changes.count == others }, "the stream still has its place")
    }

    /// Whether the server ends a connection within 15 seconds.
    ///
    /// - Parameters:
    ///   - begin: what the client sends at once.
    ///   - piece: what the client then goes on sending; `nil` for nothing.
    ///   - endsItself: whether the client ends the connection after the server has ended its half.
    private func isEnded(
        by server: TestServer, after begin: String, with piece: String? = nil, endsItself: Bool = true
    ) async throws -> Bool {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: !endsItself)
            .connect(host: "127.0.0.1", port: try #require(server.port)).get()
        let start = ContinuousClock.now
        let closing = channel.eventLoop.scheduleTask(in: .seconds(20)) { channel.close(promise: nil) }
        channel.writeAndFlush(ByteBuffer(string: begin), promise: nil)
        let pause = TimeAmount.milliseconds(20)
        let sending = piece.map { piece in
            channel.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
                channel.writeAndFlush(ByteBuffer(string: piece), promise: nil)
            }
        }
        try? await channel.closeFuture.get()
        sending?.cancel()
        closing.cancel()
        return ContinuousClock.now - start < .seconds(15)
    }

    @Test func `a body above the limit is rejected, with and without a length`() async throws {
        let server = try await TestServer(["a": "1"])
        let body = #"{"context":{"name":"\#(String(repeating: "x", count: 70_000))"}}"#
        let path = "/ofrep/v1/evaluate/flags/a"
        let chunked =
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        let last = evaluation("a", "Connection: close\r\n")
        for requests in [request("POST", path, body), chunked] {
            let text = try await server.exchange([requests + last])
            #expect(text.hasPrefix("HTTP/1.1 413 "), "\(text)")
            #expect(order(of: [#"{"key":"a""#], in: text).count == 1, "\(text)")
        }
    }
}
#endif
