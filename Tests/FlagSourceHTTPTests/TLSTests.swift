import FlagRemote
import FlagSourceHTTP
import FlagTesting
import Synchronization
import TestSupport
import Testing

@Suite("Certificates", .fewAtOnce)
struct TLSTests {
    private static let pair = CertificatePair(for: "IP:127.0.0.1")
    private static let otherPair = CertificatePair(for: "DNS:other.example")

    private func server() async throws -> LoopbackServer {
        let pair = try #require(Self.pair, "openssl makes the certificate of this test")
        return try await LoopbackServer(certificate: (pair.certificate, pair.key)) { _ in .json("{}") }
    }

    private func send(_ url: String, _ settings: TransportSettings) async -> Result<Int, SourceError> {
        guard let url = SourceURL(url) else { return .failure(SourceError(code: .rejected, path: "", sentence: "")) }
        var settings = settings
        // The handshake counts as connecting, and the tests beside this one hold up both sides of it.
        settings.connectTimeout = .seconds(60)
        do throws(SourceError) {
            let request = SourceRequest(source: "flags", url: url)
            return .success(
                try await HTTPTransport(settings).send(
                    request, limits: SourceLimits(silence: .seconds(60), total: .seconds(120))
                ) { _ in }.status)
        } catch {
            return .failure(error)
        }
    }

    @Test("a certificate that nobody has signed is refused")
    func selfSigned() async throws {
        let server = try await server()
        let result = await send(server.url, TransportSettings())
        #expect(throws: SourceError.self) { try result.get() }
        if case .failure(let error) = result {
            #expect(
                error.code == .insecure
                    && error.sentence.contains("TLS: 127.0.0.1:\(server.port): its certificate is not signed"),
                "\(error)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("an authority of one's own is trusted, for the host that it has signed for")
    func authority() async throws {
        let server = try await server()
        let settings = TransportSettings(trust: .authorities(path: try #require(Self.pair).certificate))
        #expect(try await send(server.url, settings).get() == 200)
        let other = try #require(Self.otherPair)
        let elsewhere = try await LoopbackServer(certificate: (other.certificate, other.key)) { _ in .json("{}") }
        let result = await send(elsewhere.url, TransportSettings(trust: .authorities(path: other.certificate)))
        if case .failure(let error) = result {
            #expect(error.code == .insecure && error.sentence.contains("another host"), "\(error)")
        } else {
            Issue.record("a certificate for other.example counts for 127.0.0.1")
        }
    }

    @Test("a file of authorities that is none is told by the name of its variable, and harms only what is encrypted")
    func brokenAuthorities() async throws {
        let server = try await server()
        let plain = try await LoopbackServer { _ in .json("{}") }
        for (path, reason) in [
            ("/nowhere/ca.pem", "no such file"), (try #require(Self.pair).key, "no certificates in PEM"),
        ] {
            let settings = TransportSettings(environment: ["SSL_CERT_FILE": path], userAgent: "test") { _ in }
            guard case .failure(let error) = await send(server.url, settings) else {
                Issue.record("it was trusted all the same")
                return
            }
            for words in ["SSL_CERT_FILE", path, reason] { #expect(error.sentence.contains(words), "\(error)") }
            #expect(error.code == .rejected && settings.objections.map(\.sentence) == [error.sentence])
            #expect(try await send(plain.url, settings).get() == 200)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("switched off, verification is missed aloud")
    func insecure() async throws {
        let server = try await server()
        let warnings = Mutex<[String]>([])
        let settings = TransportSettings(environment: ["FLAGMENU_INSECURE_TLS": "1"], userAgent: "test") { text in
            warnings.withLock { $0.append(text) }
        }
        #expect(try await send(server.url, settings).get() == 200)
        let said = warnings.withLock { $0 }
        #expect(said.count == 1 && said[0].contains("127.0.0.1:\(server.port) is not verified"))
    }

    @Test("what does not speak TLS is told, and https never becomes http")
    func plain() async throws {
        let plain = try await LoopbackServer { _ in .json("{}") }
        let result = await send("https://127.0.0.1:\(plain.port)", TransportSettings())
        if case .failure(let error) = result {
            #expect(error.sentence.contains("does not speak TLS"), "\(error)")
        } else {
            Issue.record("http counts as https")
        }
        let server = try await server()
        let target = plain.url
        server.answer { _ in .status(301, headers: [("Location", target)]) }
        let settings = TransportSettings(trust: .authorities(path: try #require(Self.pair).certificate))
        let redirected = await send(server.url, settings)
        if case .failure(let error) = redirected {
            #expect(error.code == .insecure && error.sentence.contains("from https to http"), "\(error)")
        } else {
            Issue.record("https was left for http")
        }
        #expect(plain.requests.isEmpty)
    }
}
