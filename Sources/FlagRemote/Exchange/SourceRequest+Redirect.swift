extension SourceRequest {
    /// Sends this request and, if a response redirects it, the next one, up to ``SourceLimits/redirects`` times.
    ///
    /// - Parameter send: sends one request; returns when the status and headers of the response have arrived.
    /// - Throws: the error of `send`, or why a redirect is not followed.
    package func followingRedirects(
        _ send: (SourceRequest) async throws -> SourceStream
    ) async throws -> SourceStream {
        var request = self
        var hasLostSecrets = false
        for hop in 0...SourceLimits.redirects {
            try request.checkHead(isRedirected: hop > 0)
            let response = try await send(request)
            guard let next = try request.redirected(by: response.status, to: response.headers["Location"]) else {
                if hasLostSecrets, [401, 403].contains(response.status) { throw request.rejectedWithoutCredentials }
                return response
            }
            hasLostSecrets = hasLostSecrets || request.headers.hasSecrets && !next.headers.hasSecrets
            request = next
        }
        throw rejection(
            .rejected,
            "the service redirected more than \(SourceLimits.redirects) times; correct the address of the source")
    }

    /// The maximum size of a request's URL and headers, in bytes: 48 KiB. Servers accept 8 to 32 KiB. NIO buffers 64
    /// KiB before a socket, and async-http-client crashes if the URL and headers of a request with a body exceed this
    /// buffer.
    private static let headLimit = 48 << 10

    /// Throws an error if the URL and headers are too long to be sent.
    private func checkHead(isRedirected: Bool) throws(SourceError) {
        // The size on the wire, in bytes.
        let size = headers.fields.reduce(url.text.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 4
        }
        guard size > Self.headLimit else { return }
        guard !isRedirected else {
            throw rejection(
                .rejected,
                "the service redirects to an address that makes the request head \(size) bytes; at most "
                    + "\(Self.headLimit) are sent; check the address of the source")
        }
        throw SourceError(
            .rejected, of: source,
            "the URL and headers of the request have \(size) bytes, with context and credentials, and at most "
                + "\(Self.headLimit) are sent; check the credentials, and send a large context in the body if this kind "
                + "of source can")
    }

    /// The error of a redirect to another origin. That origin got no credentials, and therefore rejected the request.
    private var rejectedWithoutCredentials: SourceError {
        let target = "\(url.scheme)://\(url.authority)"
        return rejection(
            .insecure,
            "the service redirects to \(target), which is another origin, so it got no credentials and rejected the "
                + "request; if \(target) is right, make it the address of the source")
    }

    /// The request to send instead if a response redirects this one; `nil` if it does not. The method and body stay the
    /// same, as a changed request would get a wrong response; only the status 303 requires a `GET`.
    ///
    /// - Parameters:
    ///   - status: the status of the response.
    ///   - location: the header `Location` of the response.
    /// - Throws: why the redirect is not followed.
    private func redirected(by status: Int, to location: String?) throws(SourceError) -> SourceRequest? {
        guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
        guard let target = url.resolving(location) else {
            throw rejection(
                .rejected, "the service redirects to an invalid address; check its settings")
        }
        if let start = Self.protectedStart(of: url, to: target) {
            throw rejection(
                .insecure,
                "the service redirects from \(start) to http, to \(target.authority), which is not followed; "
                    + "correct the address of the source")
        }
        guard !isPublishing else {
            throw rejection(
                .rejected,
                "the service redirects the publication to \(target.authority), and the redirect was not followed; if "
                    + "\(target.authority) is right, make it the address of the source")
        }
        if target.origin != url.origin, masking(target.text) != target.text {
            throw rejection(
                .insecure,
                "the service redirects to another origin with a credential in the URL, and the redirect was not "
                    + "followed; correct the address of the source")
        }
        var next = self
        next.url = target
        if status == 303 { (next.method, next.body) = (.get, []) }
        guard target.origin != url.origin else { return next }
        guard next.body.isEmpty else {
            throw rejection(
                .insecure,
                "the service redirects to \(target.authority), which is another origin and does not get the "
                    + "context or the credentials; if it is right, make it the address of the source")
        }
        next.headers = headers.withoutSecrets
        return next
    }

    /// What a redirect to plain `http` would leave, as a part of a sentence: `https`, or this machine; `nil` if the
    /// redirect leaves neither.
    private static func protectedStart(of url: SourceURL, to target: SourceURL) -> String? {
        guard !target.isSecure else { return nil }
        return url.isSecure ? "https" : url.isLoopback && !target.isLoopback ? "this machine" : nil
    }

    private func rejection(_ code: SourceError.Code, _ sentence: String) -> SourceError {
        SourceError(code, of: source, sentence, cause: .redirect)
    }
}
