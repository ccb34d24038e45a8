/// Makes those errors of a request that every transport has. They show only the host of the URL, and no headers.
package struct ExchangeFailure: Sendable {
    package let request: SourceRequest
    package let limits: SourceLimits
    /// The host and, if there is one, the proxy, as a part of a sentence.
    package let place: String

    /// - Parameter proxy: the proxy's host and port; `nil` if the service is reached directly.
    package init(_ request: SourceRequest, _ limits: SourceLimits, proxy: String? = nil) {
        (self.request, self.limits) = (request, limits)
        place = request.url.authority + (proxy.map { " through the proxy \($0)" } ?? "")
    }

    private var url: SourceURL { request.url }

    package func failure(_ code: SourceError.Code, _ sentence: String, _ cause: SourceError.Cause? = nil) -> SourceError
    {
        SourceError(code, of: request.source, sentence, cause: cause)
    }

    package func tooLarge(isDecompressed: Bool) -> SourceError {
        let response = isDecompressed ? "decompressed response" : "response"
        return failure(.tooLarge, "the \(response) has more than \(limits.bodySize) bytes, the limit")
    }

    package func unknownCoding(_ name: String) -> SourceError {
        failure(.malformed, "the service used a compression that was not requested (\(name.prefix(20)))")
    }

    package var damaged: SourceError { failure(.malformed, "the response cannot be decompressed; it is damaged") }

    package var notHTTP: SourceError {
        failure(.malformed, "the response is not HTTP; check that \(url.authority) is the service")
    }

    package var incomplete: SourceError {
        failure(.unreachable, "\(place) closed the connection before the response was complete; retry later")
    }

    package var reset: SourceError { failure(.unreachable, "\(place) reset the connection; retry later") }

    package var refused: SourceError {
        failure(
            .unreachable, "\(url.authority) refused the connection; check that the service runs there", .unconnected)
    }

    package var noRoute: SourceError { failure(.unreachable, "no route to \(place); check the network") }

    package var unknownHost: SourceError {
        failure(
            .unreachable, "host \(url.host) not found; check the address and the network", .unknownHost(url.host))
    }

    /// The error of a connection that broke for another reason.
    package func broken(_ reason: String) -> SourceError {
        failure(.unreachable, "the connection to \(place) failed\(reason)")
    }

    package var tooSlow: SourceError {
        failure(.timedOut, "\(place) did not respond completely within \(limits.total.inWords); retry later")
    }

    /// The error of a service that was silent for too long.
    ///
    /// - Parameter isStream: whether the headers of a stream had arrived.
    package func silent(isStream: Bool) -> SourceError {
        let silence = isStream ? "nothing on its stream" : "nothing"
        let remedy = isStream ? "reconnecting" : "retry later"
        return failure(.timedOut, "\(place) sent \(silence) for \(limits.idleTimeout.inWords); \(remedy)")
    }

    /// The error of a connection that cannot be encrypted.
    package func tls(_ reason: String) -> SourceError { failure(.insecure, "TLS: \(place): \(reason)") }

    /// The error of a server's certificate. TLS libraries keep the certificate to themselves, so the error has the command
    /// that shows it.
    package func certificate(_ reason: String) -> SourceError {
        // A redirect may have named the host, which must not become a command in the shell that this is pasted to.
        let isName = url.host.allSatisfy { $0.isLetter || $0.isNumber || ".-_:[]".contains($0) }
        return tls(
            "its certificate \(reason) (see: openssl s_client -connect "
                + "\(isName ? url.host : "HOST"):\(url.effectivePort) </dev/null "
                + "| openssl x509 -noout -dates -subject)")
    }

    /// The error of a certificate if the TLS library does not say what is wrong.
    package var untrusted: SourceError {
        certificate("has expired, is not valid yet, or is not signed by a trusted authority")
    }
}

extension Duration {
    /// The time in words, such as `10 s` or `250 ms`.
    package var inWords: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return milliseconds == 0 ? "\(seconds) s" : "\(seconds * 1000 + milliseconds) ms"
    }
}
