extension FetchResult {
    /// The maximum length of a version, in bytes: 8 KiB, the usual limit of servers for headers.
    private static let versionLimit = 8 << 10

    /// Converts a response. The version is in the header `ETag`; the status 304 means that the caller has the newest
    /// version.
    ///
    /// - Parameters:
    ///   - response: the response, with a status of 2xx or 304.
    ///   - version: the version in the request; `nil` if the request named none.
    ///   - source: the source's name in errors.
    /// - Throws: an error if the response is 304 but the request named no version, or if the response is empty or a web
    ///   page.
    public init(_ response: SourceResponse, since version: String?, of source: String) throws(SourceError) {
        guard response.status == 304 else {
            // The version is sent with each request, so one that is longer than servers accept is dropped.
            if let error = SourceError(noDocumentIn: response, of: source) { throw error }
            let version = response.headers["ETag"].flatMap { $0.utf8.count > Self.versionLimit ? nil : $0 }
            self = .values(response.body, version: version)
            return
        }
        guard version != nil else {
            throw SourceError(
                code: .malformed, path: source,
                sentence:
                    "the service says that nothing has changed (HTTP status 304), but the request was unconditional; "
                    + "retry later")
        }
        self = .unchanged
    }
}
