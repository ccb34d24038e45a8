#if Network
import FlagRemote
import FlagTesting
import Foundation
import Synchronization
import TestSupport
import Testing
import VendorServers

@testable import FlagSourceHTTP

/// Certificates.
@Suite(.limitedParallelism)
struct TLSTests {
    private static let pair = CertificatePair(for: "IP:127.0.0.1")
    private static let otherPair = CertificatePair(for: "DNS:other.example")

    private func server(_ pair: CertificatePair? = pair) async throws -> LoopbackServer {
        let pair = try #require(pair, "openssl could not create the certificate")
        return try await LoopbackServer(certificate: (pair.certificate, pair.key)) { _ in .json("{}") }
    }

    /// The status of the response.
    private func send(_ url: String, _ settings: TransportSettings) async throws -> Int {
        var settings = settings
        // The handshake counts as connecting, and tests that run at the same time slow down both of its sides.
        settings.connectTimeout = .seconds(60)
        return try await HTTPTransport(settings).send(SourceRequest(url)).status
    }

    /// The error with which a request must fail.
    private func failure(_ url: String, _ settings: TransportSettings) async throws -> SourceError {
        try await #require(throws: SourceError.self) { try await send(url, settings) }
    }

    @Test func `a self-signed certificate is rejected`() async throws {
        let server = try await server()
        let error = try await failure(server.url, TransportSettings())
        #expect(error.code == .insecure && server.requests.isEmpty)
        #expect(error.sentence.contains("TLS: 127.0.0.1:\(server.port): its certificate"), "\(error)")
        #expect(error.sentence.contains("not signed by a trusted authority"), "\(error)")
    }

    @Test(arguments: [
        ("20200101000000Z", "20210301000000Z", "has expired"),
        ("20900101000000Z", "20910101000000Z", "is not valid yet"),
    ])
    func `a certificate that has expired or is not valid yet is rejected with the command that shows the dates`(
        start: String, end: String, words: String
    ) async throws {
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1", from: start, until: end), "openssl is too old")
        let server = try await server(pair)
        let error = try await failure(server.url, TransportSettings(trust: .authorities(path: pair.certificate)))
        let command =
            "openssl s_client -connect 127.0.0.1:\(server.port) </dev/null | openssl x509 -noout -dates -subject"
        #expect(error.code == .insecure && error.sentence.contains(words), "\(error)")
        #expect(error.sentence.contains(command) && server.requests.isEmpty, "\(error)")
    }

    @Test func `a custom certificate authority is trusted, but only for the signed host`() async throws {
        let settings = TransportSettings(trust: .authorities(path: try #require(Self.pair).certificate))
        let server = try await server()
        #expect(try await send(server.url, settings) == 200)
        let other = try #require(Self.otherPair)
        let otherServer = try await self.server(other)
        let error = try await failure(
            otherServer.url, TransportSettings(trust: .authorities(path: other.certificate)))
        #expect(error.code == .insecure && error.sentence.contains("is for another host (see: openssl"), "\(error)")
    }

    @Test func `a server's own self-signed certificate is trusted, and no other one`() async throws {
        let server = try await server()
        let path = try #require(Self.pair).certificate
        #expect(try await send(server.url, TransportSettings(trust: .server(chainPath: path))) == 200)
        let other = try #require(CertificatePair(for: "IP:127.0.0.1"))
        _ = try await failure(server.url, TransportSettings(trust: .server(chainPath: other.certificate)))
    }

    @Test func `a server's chain is trusted in addition to the authorities of the system`() async throws {
        let authority = try #require(CertificatePair(for: "DNS:authority.example", isAuthority: true))
        let pair = try #require(CertificatePair(for: "IP:127.0.0.1", signedBy: authority))
        let settings = TransportSettings(trust: .server(chainPath: pair.certificate))
        let server = try await server(pair)
        #expect(try await send(server.url, settings) == 200)
        let other = try #require(CertificatePair(for: "DNS:other.example", signedBy: authority))
        let otherServer = try await self.server(other)
        _ = try await failure(otherServer.url, TransportSettings(trust: .server(chainPath: other.certificate)))
    }

    @Test func `an invalid SSL_CERT_FILE is named in the error and affects only https`() async throws {
        let server = try await server()
        let plain = try await LoopbackServer { _ in .json("{}") }
        for (path, reason) in [
            ("/nowhere/ca.pem", "no such file"), (try #require(Self.pair).key, "no certificates in PEM"),
        ] {
            let settings = TransportSettings(environment: ["SSL_CERT_FILE": path], userAgent: "test") { _ in }
            let error = try await failure(server.url, settings)
            for words in ["SSL_CERT_FILE", path, reason] { #expect(error.sentence.contains(words), "\(error)") }
            #expect(error.code == .rejected && settings.invalidReasons.map(\.sentence) == [error.sentence])
            #expect(try await send(plain.url, settings) == 200)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a server with only TLS 1.1 is rejected, whether certificates are verified or not`() async throws {
        let pair = try #require(Self.pair)
        let folder = Workplace()
        for (version, isAccepted) in [("1_1", false), ("1_2", true)] {
            let streams = [
                open("/dev/null", O_RDONLY), creat(folder.place(version), 0o600), open("/dev/null", O_WRONLY),
            ]
            let server = try #require(
                ChildProcess(
                    [
                        "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-tls\(version)", "-cipher",
                        "ALL:@SECLEVEL=0", "-cert", pair.certificate, "-key", pair.key,
                    ], folder.environment, directory: folder.path, streams: streams))
            streams.forEach { close($0) }
            // It prints: ACCEPT 127.0.0.1:PORT
            try #require(Clock.wait { folder.read(version)?.contains(/ACCEPT .*:\d+\n/) == true })
            let port = try #require(folder.read(version)?.firstMatch(of: /ACCEPT .*:(\d+)\n/)?.1)
            for trust in [TransportSettings.Trust.server(chainPath: pair.certificate), .nobodyIsVerified] {
                let (url, settings) = ("https://127.0.0.1:\(port)", TransportSettings(trust: trust))
                if isAccepted {
                    #expect(try await send(url, settings) == 200)
                } else {
                    let error = try await failure(url, settings)
                    #expect(error.code == .insecure)
                    #expect(error.sentence.contains("versions of TLS before 1.2"), "\(error)")
                }
            }
            kill(server.id, SIGKILL)
        }
    }

    @Test func `a host with an address of its own is not looked up, and its certificate is for its name`() async throws
    {
        let pair = try #require(Self.otherPair)
        let server = try await server(pair)
        var settings = TransportSettings(trust: .authorities(path: pair.certificate))
        settings.addresses = ["other.example": "127.0.0.1"]
        #expect(try await send("https://other.example:\(server.port)", settings) == 200)
    }

    @Test func `disabled verification prints one warning`() async throws {
        let server = try await server()
        let warnings = Mutex<[String]>([])
        let settings = TransportSettings(environment: ["FLAGMENU_INSECURE_TLS": "1"], userAgent: "test") { text in
            warnings.withLock { $0.append(text) }
        }
        #expect(try await send(server.url, settings) == 200)
        let printed = warnings.withLock { $0 }
        #expect(printed.count == 1 && printed[0].contains("127.0.0.1:\(server.port) is not verified"))
    }

    @Test func `a server without TLS is reported, and https is never redirected to http`() async throws {
        let plain = try await LoopbackServer { _ in .json("{}") }
        let unencrypted = try await failure("https://127.0.0.1:\(plain.port)", TransportSettings())
        #expect(unencrypted.sentence.contains("does not speak TLS"), "\(unencrypted)")
        let server = try await server()
        let target = plain.url
        server.respond { _ in .status(301, headers: [("Location", target)]) }
        let settings = TransportSettings(trust: .authorities(path: try #require(Self.pair).certificate))
        let error = try await failure(server.url, settings)
        #expect(error.code == .insecure && error.sentence.contains("from https to http"), "\(error)")
        #expect(plain.requests.isEmpty)
    }
}
#endif
