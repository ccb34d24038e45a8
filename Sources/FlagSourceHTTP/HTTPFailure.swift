#if Network
import AsyncHTTPClient
import FlagModel
import FlagRemote
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Platform

/// Makes the errors of a request that are those of the HTTP client or of a proxy.
struct HTTPFailure: Sendable {
    let request: SourceRequest
    let limits: SourceLimits
    let settings: TransportSettings

    private var proxy: Proxies.Proxy? { settings.proxies.proxy(for: request.url) }

    /// The errors that every transport has.
    var common: ExchangeFailure {
        ExchangeFailure(request, limits, proxy: proxy.map { "\($0.host):\($0.port)" })
    }

    /// The error for any failure of a stream after its headers. A read timeout means that the service was silent.
    func streamError(_ error: any Error) -> SourceError {
        guard case .readTimeout? = error as? HTTPClientError else { return self.error(error) }
        return common.silent(isStream: true)
    }

    /// The error for any failure of a request.
    func error(_ error: any Error) -> SourceError {
        switch error {
        case let error as SourceError: return error
        case let warning as TransportWarning:
            return common.failure(.rejected, warning.sentence, .variable(warning.variable))
        case is CancellationError: return .cancelled(request.source)
        case is TimeLimitExceeded: return common.tooSlow
        case let error as HTTPClientError: return self.error(error)
        case let error as NIOConnectionError: return connection(error)
        case let error as IOError: return system(error.errnoCode)
        case NIOHTTPDecompression.DecompressionError.limit: return common.tooLarge(isDecompressed: true)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            return common.damaged
        case ChannelError.connectTimeout: return unconnected([])
        // The service has closed a connection that was kept for further requests.
        case HTTPParserError.invalidEOFState, is ChannelError: return common.incomplete
        case is HTTPParserError: return common.notHTTP
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: return tls("\(error)")
        default: return common.broken(" (\(type(of: error))); retry later")
        }
    }

    private func error(_ error: HTTPClientError) -> SourceError {
        switch error {
        case .cancelled, .requestStreamCancelled, .alreadyShutdown: return .cancelled(request.source)
        case .deadlineExceeded: return common.tooSlow
        case .readTimeout: return common.silent(isStream: false)
        case .connectTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout:
            return unconnected([])
        case .tlsHandshakeTimeout:
            return common.failure(
                .timedOut,
                "no TLS connection to \(common.place) within \(settings.connectTimeout.inWords); "
                    + "check the address and the port")
        case .remoteConnectionClosed, .uncleanShutdown: return common.incomplete
        case .proxyAuthenticationRequired:
            return .proxyCredentials(request.source)
        case .invalidProxyResponse:
            return common.failure(
                .unreachable, "the proxy cannot reach \(request.url.authority); check the proxy variable")
        default: return common.failure(.unreachable, "\(common.place): \(error.shortDescription.lowercased())")
        }
    }

    private func connection(_ error: NIOConnectionError) -> SourceError {
        if error.connectionErrors.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil {
            guard let proxy else { return common.unknownHost }
            return common.failure(.unreachable, "proxy host \(proxy.host) not found; check the proxy variable")
        }
        return unconnected(error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode })
    }

    /// The error if no connection succeeded.
    ///
    /// - Parameter codes: the system's error codes for the addresses to which the connection failed without a timeout.
    func unconnected(_ codes: [CInt]) -> SourceError {
        // A connection that was never made cannot be reset: if a busy kernel reports a refused connection twice, the
        // second report looks like a reset.
        let isRefused = codes.contains { [ECONNREFUSED, ECONNRESET].contains($0) }
        var error =
            (isRefused ? ECONNREFUSED : codes.first).map(system)
            ?? common.failure(
                .timedOut,
                "no connection to \(common.place) within \(settings.connectTimeout.inWords); check the address and "
                    + "the network")
        error.cause = .unconnected
        return error
    }

    private func system(_ code: CInt) -> SourceError {
        switch code {
        case ECONNREFUSED:
            if let proxy {
                common.failure(
                    .unreachable,
                    "the proxy \(proxy.host):\(proxy.port) refused the connection; check the proxy variable")
            } else {
                common.refused
            }
        case ECONNRESET, EPIPE: common.reset
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN: common.noRoute
        case ETIMEDOUT: common.failure(.timedOut, "\(common.place) did not respond; check the network")
        default: common.broken(": \(String(cString: strerror(code)))")
        }
    }

    private func tls(_ description: String) -> SourceError {
        if ["CERTIFICATE_VERIFY_FAILED", "unableToValidateCertificate"].contains(where: description.contains) {
            return common.untrusted
        }
        if description.contains("failedToValidateHostname") { return common.certificate("is for another host") }
        if description.contains("uncleanShutdown") { return common.reset }
        if ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "EOF during handshake"].contains(where: description.contains) {
            return common.tls("it does not speak TLS; is it an http address?")
        }
        if ["PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL"].contains(where: description.contains) {
            return common.tls("it supports only versions of TLS before 1.2, which are not secure; update the service")
        }
        return common.tls("the TLS handshake failed")
    }
}
#endif
