#if Server
import FlagModel
import FlagServer
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// Several requests on one connection, of which some are answered on the event loop and others by tasks.
@Suite("Server: several requests on one connection") struct EvaluationHandlerTests {
    private func request(_ method: String, _ path: String, _ body: String = "", _ fields: String = "") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }

    private func evaluation(_ key: String, _ fields: String = "") -> String {
        request("POST", "/ofrep/v1/evaluate/flags/\(key)", #"{"context":{}}"#, fields)
    }

    /// The parts of a text that begin with one of the marks, each as its mark.
    private func order(of marks: [String], in text: String) -> [String] {
        text.split(separator: "\r\n\r\n").dropFirst().flatMap { part in marks.filter { part.hasPrefix($0) } }
    }

    @Test func `responses have the order of the requests`() async throws {
        let server = try await TestServer(["a": "1", "b": "2", "c": "3"])
        let requests =
            evaluation("a") + request("GET", "/api/v1/openapi.json") + evaluation("b") + evaluation("none")
            + request("POST", "/ofrep/v1/evaluate/flags", #"{"context":{}}"#) + evaluation("a")
            + request("GET", "/nowhere") + evaluation("c", "Connection: close\r\n")
        let text = try await server.exchange([requests])
        let order = order(
            of: [
                #"{"key":"a""#, #"{"key":"b""#, #"{"key":"c""#, #"{"key":"none""#, #"{"flags""#, #"{"error""#,
                "{\n  \"openapi\"",
            ], in: text)
        #expect(
            order == [
                #"{"key":"a""#, "{\n  \"openapi\"", #"{"key":"b""#, #"{"key":"none""#, #"{"flags""#, #"{"key":"a""#,
                #"{"error""#, #"{"key":"c""#,
            ], "\(text)")
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
        var settings = ServerSettings()
        (settings.limits.requestTime, settings.limits.idleTime) = (.seconds(300), .seconds(300))
        let server = try await TestServer(["a": "1"], settings: settings)
        let bytes = (evaluation("a") + evaluation("a", "Connection: close\r\n")).utf8
        let pieces = stride(from: 0, to: bytes.count, by: 7).map {
            String(decoding: bytes.dropFirst($0).prefix(7), as: UTF8.self)
        }
        let text = try await server.exchange(pieces)
        #expect(order(of: [#"{"key":"a""#], in: text).count == 2, "\(text)")
    }

    @Test func `a connection whose head is too large ends after the idle time, even if its client does not end it`()
        async throws
    {
        var settings = ServerSettings()
        settings.limits.idleTime = .milliseconds(200)
        let server = try await TestServer(["a": "1"], settings: settings)
        let port = try #require(server.location.url.split(separator: ":").last.flatMap { Int($0) })
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port).get()
        // More than the server reads before it rejects the head.
        let head = "GET /\(String(repeating: "a", count: 8_000_000)) HTTP/1.1\r\n\r\n"
        let (begin, limit) = (ContinuousClock.now, TimeAmount.seconds(20))
        let closing = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        // The server ends the connection by a reset, as it has not read all bytes.
        try? await channel.writeAndFlush(ByteBuffer(string: head)).get()
        closing.cancel()
        #expect(ContinuousClock.now - begin < .seconds(15))
        try? await channel.close()
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
