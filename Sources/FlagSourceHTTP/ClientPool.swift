#if Network
import AsyncHTTPClient
import Dispatch
import FlagRemote
import NIOCore
import NIOHTTPCompression
import NIOSSL
import Synchronization

/// The settings that apply to all requests of an HTTP client.
struct ClientKind: Hashable {
    let proxy: Proxies.Proxy?
    /// Whether the connection is encrypted. Clients without encryption also work if the TLS settings are not valid.
    let isSecure: Bool
    let idleTimeout: Duration
    /// The size limit for decompression, in bytes; `nil` without decompression.
    let decompressionLimit: Int?
}

/// The clients of a transport, each created for its first request.
final class ClientPool: Sendable {
    private struct State {
        var clients: [ClientKind: HTTPClient] = [:]
        var isShutDown = false
    }

    private let settings: TransportSettings
    private let state = Mutex(State())

    init(_ settings: TransportSettings) { self.settings = settings }

    // The library requires that clients are shut down.
    deinit { for client in removeClients() { client.shutdown(queue: .global()) { _ in } } }

    /// The client with some settings; created if there is none.
    func client(_ kind: ClientKind) throws -> HTTPClient {
        try state.withLock { state in
            if let client = state.clients[kind] { return client }
            guard !state.isShutDown else { throw HTTPClientError.alreadyShutdown }
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: try configuration(kind))
            state.clients[kind] = client
            return client
        }
    }

    /// Closes all connections. Later requests fail.
    func shutdown() async {
        for client in removeClients() {
            // A connection that cannot be closed cleanly is harmless.
            try? await client.shutdown()
        }
    }

    private func removeClients() -> [HTTPClient] {
        state.withLock { state in
            defer { (state.clients, state.isShutDown) = ([:], true) }
            return Array(state.clients.values)
        }
    }

    private func configuration(_ kind: ClientKind) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: kind.isSecure ? try tls() : nil, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(settings.connectTimeout), read: TimeAmount(kind.idleTimeout)),
            proxy: kind.proxy.map(Self.proxy),
            decompression: kind.decompressionLimit.map { .enabled(limit: .size($0)) } ?? .disabled)
        configuration.dnsOverride = settings.addresses
        // Only one protocol version is supported, so that failures do not depend on the version. No service needs
        // HTTP/2.
        configuration.httpVersion = .http1Only
        // ``RetryPolicy`` decides about retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(30)
        return configuration
    }

    private func tls() throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        switch settings.trust {
        case .system: break
        case .authorities(let path): tls.trustRoots = .certificates(try Authorities.certificates(in: path))
        case .server(let path): tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.inFile(path))]
        case .nobodyIsVerified: tls.certificateVerification = .none
        }
        if let certificate = settings.clientCertificate {
            let (chain, key) = try certificate.read()
            tls.certificateChain = chain.map(NIOSSLCertificateSource.certificate)
            tls.privateKey = .privateKey(key)
        }
        return tls
    }

    private static func proxy(_ proxy: Proxies.Proxy) -> HTTPClient.Configuration.Proxy {
        let userAndPassword = proxy.credentials?.reveal()
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let authorization = userAndPassword.map { texts in
            HTTPClient.Authorization.basic(
                username: String(texts[0]), password: texts.count > 1 ? String(texts[1]) : "")
        }
        // IPv6 addresses have brackets only in URLs.
        let host = proxy.host.hasPrefix("[") ? String(proxy.host.dropFirst().dropLast()) : proxy.host
        return .server(host: host, port: proxy.port, authorization: authorization)
    }
}
#endif
