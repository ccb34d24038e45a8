#if Network
import AsyncHTTPClient
import FlagRemote
import NIOCore
import NIOHTTPCompression
import NIOSSL

/// The settings that apply to all requests of an HTTP client.
struct ClientKind: Hashable {
    let proxy: Proxies.Proxy?
    /// Whether the connection is encrypted. Clients without encryption also work if the TLS settings are not valid.
    let isSecure: Bool
    let idleTimeout: Duration
    /// The size limit for decompression, in bytes; `nil` without decompression.
    let decompressionLimit: Int?

    /// The proxy that forwards plain requests; `nil` if there is none, or the proxy opens tunnels.
    var forwardingProxy: Proxies.Proxy? { isSecure ? nil : proxy }

    func configuration(_ settings: TransportSettings) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: isSecure ? try Self.tls(settings) : nil, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(settings.connectTimeout), read: TimeAmount(idleTimeout)),
            proxy: isSecure ? proxy.map(Self.proxy) : nil,
            decompression: decompressionLimit.map { .enabled(limit: .size($0)) } ?? .disabled)
        if forwardingProxy != nil { configuration.http1_1ConnectionDebugInitializer = AbsoluteTarget.add }
        configuration.dnsOverride = settings.addresses
        // Only one protocol version is supported, so that failures do not depend on the version. No service needs
        // HTTP/2.
        configuration.httpVersion = .http1Only
        // ``RetryPolicy`` decides about retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(30)
        return configuration
    }

    private static func tls(_ settings: TransportSettings) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        switch settings.trust {
        case .system: break
        case .authorities(let path): tls.trustRoots = .certificates(try TransportSettings.authorities(in: path))
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
        // IPv6 addresses have brackets only in URLs.
        let host = proxy.host.hasPrefix("[") ? String(proxy.host.dropFirst().dropLast()) : proxy.host
        return .server(
            host: host, port: proxy.port, authorization: proxy.basicCredentials.map { .basic(credentials: $0) })
    }
}
#endif
