import FlagRemote

/// A response that redirects a request.
struct Redirect {
    private let status: Int
    private let location: String

    /// The redirect of a response; `nil` if the response is not one.
    init?(status: Int, _ location: String?) {
        guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
        self.status = status
        self.location = location
    }

    /// The request to send instead of a redirected one. The method and body stay the same, as a changed request would
    /// get a wrong response; only the status 303 requires a `GET`.
    ///
    /// - Throws: why the redirect is not followed.
    func replacement(for request: SourceRequest) throws(SourceError) -> SourceRequest {
        guard let target = request.url.resolving(location) else {
            throw rejection(
                request, .rejected, "the service redirects to an invalid address; check its settings")
        }
        if let start = Self.protectedStart(of: request.url, to: target) {
            throw rejection(
                request, .insecure,
                "the service redirects from \(start) to http, to \(target.authority), which is not followed; "
                    + "correct the address of the source")
        }
        guard request.purpose == .reading else {
            throw rejection(
                request, .rejected,
                "the service redirects the publication to \(target.authority), and the redirect was not followed; if "
                    + "\(target.authority) is right, make it the address of the source")
        }
        if target.origin != request.url.origin, request.masking(target.text) != target.text {
            throw rejection(
                request, .insecure,
                "the service redirects to another origin with a credential in the URL, and the redirect was not "
                    + "followed; correct the address of the source")
        }
        var next = request
        next.url = target
        if status == 303 { (next.method, next.body) = (.get, []) }
        guard target.origin != request.url.origin else { return next }
        guard next.body.isEmpty else {
            throw rejection(
                request, .insecure,
                "the service redirects to \(target.authority), which is another origin and does not get the "
                    + "context or the credentials; if it is right, make it the address of the source")
        }
        next.headers = request.headers.withoutSecrets
        return next
    }

    /// What a redirect to plain `http` would leave, as a part of a sentence: `https`, or this machine; `nil` if the
    /// redirect leaves neither.
    private static func protectedStart(of url: SourceURL, to target: SourceURL) -> String? {
        guard !target.isSecure else { return nil }
        return url.isSecure ? "https" : url.isLoopback && !target.isLoopback ? "this machine" : nil
    }

    private func rejection(_ request: SourceRequest, _ code: SourceError.Code, _ sentence: String) -> SourceError {
        SourceError(code: code, path: request.source, sentence: sentence, cause: .redirect)
    }
}
