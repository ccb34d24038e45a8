#if Network
import AsyncHTTPClient
import Dispatch
import FlagRemote
import NIOCore
import NIOHTTPCompression
import NIOSSL
import Synchronization

/// What makes one client of HTTP differ from another: it is set for all requests of a client at once.
struct ClientKind: Hashable {
    let proxy: Proxies.Proxy?
    /// Whether the connection is encrypted; settings of TLS that cannot be used harm no other.
    let isSecure: Bool
    let silence: Duration
    /// In bytes; `nil` where nothing is decompressed.
    let decompressionLimit: Int?
}

/// The clients of a transport, each made when the first request needs it.
final class ClientPool: Sendable {
    private struct State {
        var clients: [ClientKind: HTTPClient] = [:]
        var isShutDown = false
    }

    private let settings: TransportSettings
    private let state = Mutex(State())

    init(_ settings: TransportSettings) { self.settings = settings }

    // A client that nobody shuts down is a mistake to the library. Nobody can use it any more.
    deinit { for client in takeAll() { client.shutdown(queue: .global()) { _ in } } }

    /// The client for a kind of requests.
    func client(_ kind: ClientKind) throws -> HTTPClient {
        try state.withLock { state in
            if let client = state.clients[kind] { return client }
            guard !state.isShutDown else { throw HTTPClientError.alreadyShutdown }
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: try configuration(kind))
            state.clients[kind] = client
            return client
        }
    }

    /// Ends all connections. Later requests fail.
    func shutdown() async {
        for client in takeAll() {
            // Nothing is lost by a connection that does not close in good order.
            try? await client.shutdown()
        }
    }

    private func takeAll() -> [HTTPClient] {
        state.withLock { state in
            defer { (state.clients, state.isShutDown) = ([:], true) }
            return Array(state.clients.values)
        }
    }

    private func configuration(_ kind: ClientKind) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: kind.isSecure ? try tls() : nil, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(settings.connectTimeout), read: TimeAmount(kind.silence)),
            proxy: kind.proxy.map(Self.proxy),
            decompression: kind.decompressionLimit.map { .enabled(limit: .size($0)) } ?? .disabled)
        // One protocol, so that one set of faults is to be known. No service here needs the other.
        configuration.httpVersion = .http1Only
        // Who asks again, and when, is decided by the policy of the source.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(30)
        return configuration
    }

    private func tls() throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        switch settings.trust {
        case .system: break
        case .authorities(let path): tls.trustRoots = .certificates(try Authorities.certificates(in: path))
        case .nobodyIsVerified: tls.certificateVerification = .none
        }
        return tls
    }

    private static func proxy(_ proxy: Proxies.Proxy) -> HTTPClient.Configuration.Proxy {
        let parts = proxy.credentials?.reveal().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let authorization = parts.map { parts in
            HTTPClient.Authorization.basic(
                username: String(parts[0]), password: parts.count > 1 ? String(parts[1]) : "")
        }
        // An address of IPv6 stands in brackets in a URL alone.
        let host = proxy.host.hasPrefix("[") ? String(proxy.host.dropFirst().dropLast()) : proxy.host
        return .server(host: host, port: proxy.port, authorization: authorization)
    }
}
#endif
