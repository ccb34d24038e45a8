extension SourceAnswer {
    /// In bytes: 8 KiB, what servers take as a header.
    private static let versionLimit = 8 << 10

    /// The answer of a service that names its versions by `ETag` and says 304 to who has the newest.
    ///
    /// - Parameters:
    ///   - response: what it said, with a status of 2xx or 304.
    ///   - version: what it was asked with.
    ///   - source: the source, as messages name it.
    /// - Throws: that nothing has changed, but nothing is there yet.
    public init(_ response: SourceResponse, since version: String?, of source: String) throws(SourceError) {
        guard response.status == 304 else {
            // It goes back with each question; one that is longer than a server would take there is none.
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
