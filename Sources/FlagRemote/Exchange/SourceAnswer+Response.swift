extension SourceAnswer {
    /// In bytes: 8 KiB, the usual limit of servers for headers.
    private static let versionLimit = 8 << 10

    /// The response of a service that names its versions by `ETag` and responds 304 if the caller has the newest.
    ///
    /// - Parameters:
    ///   - response: the response, with a status of 2xx or 304.
    ///   - version: the version in the request.
    ///   - source: the source, as messages name it.
    /// - Throws: an error if the response is 304 but the request named no version.
    public init(_ response: SourceResponse, since version: String?, of source: String) throws(SourceError) {
        guard response.status == 304 else {
            // It is sent with each request; one that is longer than servers accept is dropped.
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
