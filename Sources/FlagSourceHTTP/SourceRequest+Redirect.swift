import FlagRemote

extension SourceRequest {
    /// The request to send instead if a response redirects this one; `nil` if it does not. The method and body stay the
    /// same, as a changed request would get a wrong response; only the status 303 requires a `GET`.
    ///
    /// - Parameters:
    ///   - status: the status of the response.
    ///   - location: the header `Location` of the response.
    /// - Throws: why the redirect is not followed.
    func redirected(by status: Int, to location: String?) throws(SourceError) -> SourceRequest? {
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
