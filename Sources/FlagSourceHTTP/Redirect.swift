import FlagRemote

/// A response that redirects a request.
struct Redirect {
    private let status: Int
    private let location: String

    /// `nil` if the response is not a redirect.
    init?(status: Int, _ location: String?) {
        guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
        self.status = status
        self.location = location
    }

    /// The request to send instead. Method and body stay, as a changed request would get a wrong response; only 303
    /// makes it a `GET`.
    ///
    /// - Throws: why it is not followed.
    func following(_ request: SourceRequest) throws(SourceError) -> SourceRequest {
        guard let target = request.url.resolving(location) else {
            throw refusal(
                request, .rejected, "the service redirects to an invalid address; check its settings")
        }
        if let start = Self.protectedStart(of: request.url, to: target) {
            throw refusal(
                request, .insecure,
                "the service redirects from \(start) to http, to \(target.authority), which is not followed; "
                    + "correct the address of the source")
        }
        var next = request
        next.url = target
        if status == 303 { (next.method, next.body) = (.get, []) }
        guard target.origin != request.url.origin else { return next }
        guard next.body.isEmpty else {
            throw refusal(
                request, .insecure,
                "the service redirects to \(target.authority), which is another origin and does not get the "
                    + "context or the credentials; if it is right, make it the address of the source")
        }
        next.headers = request.headers.withoutSecrets
        return next
    }

    /// What a request must not leave for plain `http`: TLS, or this machine.
    private static func protectedStart(of url: SourceURL, to target: SourceURL) -> String? {
        guard !target.isSecure else { return nil }
        return url.isSecure ? "https" : url.isLoopback && !target.isLoopback ? "this machine" : nil
    }

    private func refusal(_ request: SourceRequest, _ code: SourceError.Code, _ sentence: String) -> SourceError {
        SourceError(code: code, path: request.source, sentence: sentence, cause: .redirect)
    }
}
