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

/// Makes the errors of a request. They show only the host of the URL, and no headers.
struct HTTPFailure: Sendable {
    let request: SourceRequest
    let limits: SourceLimits
    let settings: TransportSettings

    private var url: SourceURL { request.url }
    private var host: String { url.authority }

    /// The host and, if there is one, the proxy, as a part of a sentence.
    private var place: String {
        host + (settings.proxies.proxy(for: url).map { " through the proxy \($0.host):\($0.port)" } ?? "")
    }

    var tooLarge: SourceError {
        failure(.tooLarge, "the response has more than \(limits.bodySize) bytes, the limit")
    }

    /// The error of a request whose URL and headers are too long.
    func tooLong(_ size: Int, _ limit: Int, isRedirected: Bool) -> SourceError {
        guard !isRedirected else {
            return failure(
                .rejected,
                "the service redirects to an address that makes the request head \(size) bytes; at most \(limit) are "
                    + "sent; check the address of the source", .redirect)
        }
        return failure(
            .rejected,
            "the URL and headers of the request have \(size) bytes, with context and credentials, and at most \(limit) "
                + "are sent; check the credentials, and send a large context in the body if this kind of source can"
        )
    }

    func unknownCoding(_ name: String) -> SourceError {
        failure(.malformed, "the service used a compression that was not requested (\(name.prefix(20)))")
    }

    private func failure(
        _ code: SourceError.Code, _ sentence: String, _ cause: SourceError.Cause? = nil
    ) -> SourceError {
        SourceError(code, of: request.source, sentence, cause: cause)
    }

    /// The error for any failure of a stream after its headers. A read timeout means that the service was silent.
    func streamError(_ error: any Error) -> SourceError {
        guard case .readTimeout? = error as? HTTPClientError else { return self.error(error) }
        return failure(
            .timedOut,
            "\(place) sent nothing on its stream for \(Self.formatted(limits.idleTimeout)); reconnecting")
    }

    /// The error for any failure of a request.
    func error(_ error: any Error) -> SourceError {
        switch error {
        case let error as SourceError: return error
        case let warning as TransportWarning:
            return failure(.rejected, warning.sentence, .variable(warning.variable))
        case is CancellationError: return .cancelled(request.source)
        case is TimeLimitExceeded: return responseTimeout
        case let error as HTTPClientError: return self.error(error)
        case let error as NIOConnectionError: return connection(error)
        case let error as IOError: return system(error.errnoCode)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            return decompression(error)
        case ChannelError.connectTimeout: return unconnected([])
        // The service has closed a connection that was kept for further requests.
        case HTTPParserError.invalidEOFState, is ChannelError: return closed
        case is HTTPParserError:
            return failure(.malformed, "the response is not HTTP; check that \(host) is the service")
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: return tls("\(error)")
        default:
            return failure(.unreachable, "the connection to \(place) failed (\(type(of: error))); retry later")
        }
    }

    private var closed: SourceError {
        failure(.unreachable, "\(place) closed the connection before the response was complete; retry later")
    }

    private var responseTimeout: SourceError {
        failure(.timedOut, "\(place) did not respond completely within \(Self.formatted(limits.total)); retry later")
    }

    private func error(_ error: HTTPClientError) -> SourceError {
        switch error {
        case .cancelled, .requestStreamCancelled, .alreadyShutdown: return .cancelled(request.source)
        case .deadlineExceeded: return responseTimeout
        case .readTimeout:
            return failure(.timedOut, "\(place) sent nothing for \(Self.formatted(limits.idleTimeout)); retry later")
        case .connectTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout:
            return unconnected([])
        case .tlsHandshakeTimeout:
            return failure(
                .timedOut,
                "no TLS connection to \(place) within \(Self.formatted(settings.connectTimeout)); "
                    + "check the address and the port")
        case .remoteConnectionClosed, .uncleanShutdown: return closed
        case .proxyAuthenticationRequired:
            return .proxyCredentials(request.source)
        case .invalidProxyResponse:
            return failure(.unreachable, "the proxy cannot reach \(host); check the proxy variable")
        default: return failure(.unreachable, "\(place): \(error.shortDescription.lowercased())")
        }
    }

    private func connection(_ error: NIOConnectionError) -> SourceError {
        if error.connectionErrors.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil {
            guard let proxy = settings.proxies.proxy(for: url) else {
                return failure(
                    .unreachable, "host \(url.host) not found; check the address and the network",
                    .unknownHost(url.host))
            }
            return failure(.unreachable, "proxy host \(proxy.host) not found; check the proxy variable")
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
            ?? failure(
                .timedOut,
                "no connection to \(place) within \(Self.formatted(settings.connectTimeout)); check the address and the "
                    + "network")
        error.cause = .unconnected
        return error
    }

    private func system(_ code: CInt) -> SourceError {
        switch code {
        case ECONNREFUSED:
            if let proxy = settings.proxies.proxy(for: url) {
                failure(
                    .unreachable,
                    "the proxy \(proxy.host):\(proxy.port) refused the connection; check the proxy variable")
            } else {
                failure(.unreachable, "\(host) refused the connection; check that the service runs there")
            }
        case ECONNRESET, EPIPE: failure(.unreachable, "\(place) reset the connection; retry later")
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN:
            failure(.unreachable, "no route to \(place); check the network")
        case ETIMEDOUT: failure(.timedOut, "\(place) did not respond; check the network")
        default:
            failure(.unreachable, "the connection to \(place) failed: \(String(cString: strerror(code)))")
        }
    }

    private func decompression(_ error: any Error) -> SourceError {
        if case .limit = error as? NIOHTTPDecompression.DecompressionError {
            return failure(.tooLarge, "the decompressed response has more than \(limits.bodySize) bytes, the limit")
        }
        return failure(.malformed, "the response cannot be decompressed; it is damaged")
    }

    /// The error of a redirect to another origin. That origin got no credentials, and therefore rejected the request.
    var rejectedWithoutCredentials: SourceError {
        let target = "\(url.scheme)://\(host)"
        return failure(
            .insecure,
            "the service redirects to \(target), which is another origin, so it got no credentials and rejected the "
                + "request; if \(target) is right, make it the address of the source", .redirect)
    }

    private func tls(_ description: String) -> SourceError {
        if ["CERTIFICATE_VERIFY_FAILED", "unableToValidateCertificate"].contains(where: description.contains) {
            // The library does not say which.
            return certificate("has expired, is not valid yet, or is not signed by a trusted authority")
        }
        if description.contains("failedToValidateHostname") { return certificate("is for another host") }
        if description.contains("uncleanShutdown") { return system(ECONNRESET) }
        var reason = "the TLS handshake failed"
        if ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "EOF during handshake"].contains(where: description.contains) {
            reason = "it does not speak TLS; is it an http address?"
        } else if ["PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL"].contains(where: description.contains) {
            reason = "it supports only versions of TLS before 1.2, which are not secure; update the service"
        }
        return failure(.insecure, "TLS: \(place): \(reason)")
    }

    /// The error of a server's certificate. The TLS library keeps the certificate to itself, so the error has the command
    /// that shows it.
    private func certificate(_ reason: String) -> SourceError {
        // A redirect may have named the host, which must not become a command in the shell that this is pasted to.
        let isName = url.host.allSatisfy { $0.isLetter || $0.isNumber || ".-_:[]".contains($0) }
        return failure(
            .insecure,
            "TLS: \(place): its certificate \(reason) (see: openssl s_client -connect "
                + "\(isName ? url.host : "HOST"):\(url.effectivePort) </dev/null "
                + "| openssl x509 -noout -dates -subject)")
    }

    /// A time in words, such as `10 s` or `250 ms`.
    static func formatted(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return milliseconds == 0 ? "\(seconds) s" : "\(seconds * 1000 + milliseconds) ms"
    }
}
#endif
