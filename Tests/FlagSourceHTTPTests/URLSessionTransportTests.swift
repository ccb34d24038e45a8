#if Network
import FlagRemote
import FlagSourceURLSession
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// What only the transport with `URLSession` does.
@Suite(.limitedParallelism)
struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    @Test func `a stream that is read too slowly ends before it fills the memory`() async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        let limits = SourceLimits(idleTimeout: .seconds(60), total: .seconds(120), bodySize: 1 << 20)
        let stream = try await transport.open(SourceRequest(server.url), limits: limits)
        try await server.waitForListener("s")
        for _ in 0..<20 { await server.push([UInt8](repeating: 0, count: 100_000), to: "s") }
        try await wait(for: "end of the connection") { server.listeners("s") == 0 }
        let error = await #expect(throws: SourceError.self) { for try await _ in stream.chunks {} }
        #expect(error?.code == .tooLarge && error?.sentence.contains("before they were read") == true)
    }

    @Test func `after shutdown no request is sent, and a second shutdown is harmless`() async throws {
        let server = try await LoopbackServer { _ in .stream(name: "s", contentType: "text/event-stream") }
        let stream = try await transport.open(SourceRequest(server.url), limits: .generous)
        transport.shutdown()
        transport.shutdown()
        let ended = await #expect(throws: SourceError.self) { for try await _ in stream.chunks {} }
        #expect(ended?.code == .cancelled)
        #expect(try await transport.failure(SourceRequest(server.url)).code == .cancelled)
        #expect(server.requests.count == 1)
    }

    // FoundationNetworking has no setting for trusted authorities, so no test on Linux has a certificate that is valid.
    @Test func `a certificate that nobody trusts is rejected, as is a server without TLS`() async throws {
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1"), "openssl could not create the certificate")
        let server = try await LoopbackServer(certificate: (pair.certificate, pair.key)) { _ in .json("{}") }
        let error = try await transport.failure(SourceRequest(server.url))
        #expect(error.code == .insecure && server.requests.isEmpty)
        #expect(error.sentence.contains("TLS: 127.0.0.1:\(server.port): its certificate"), "\(error)")
        let plain = try await LoopbackServer { _ in .json("{}") }
        let unencrypted = try await transport.failure(SourceRequest("https://127.0.0.1:\(plain.port)"))
        #expect(unencrypted.code == .insecure, "\(unencrypted)")
        #expect(unencrypted.sentence.contains("TLS handshake failed"), "\(unencrypted)")
    }
}
#endif
