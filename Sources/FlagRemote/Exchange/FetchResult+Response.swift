public import FlagModel

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
                .malformed, of: source,
                "the service says that nothing has changed (HTTP status 304), but the request was unconditional; "
                    + "retry later")
        }
        self = .unchanged
    }
}

extension SourceClient {
    /// Requests a document.
    ///
    /// - Parameters:
    ///   - request: the request for the document.
    ///   - version: the version in the request; `nil` if the request names none.
    ///   - hasVersions: whether later requests can name the version of the response.
    ///   - members: the members of an error response that contain the service's explanation.
    ///   - progress: called with the progress of the response.
    ///   - read: checks the document, and returns what to cache.
    public func fetch(
        _ request: SourceRequest, since version: String?, hasVersions: Bool = true, explainedBy members: [String],
        progress: @escaping ProgressHandler, _ read: ([UInt8]) throws(DocumentError) -> [UInt8]
    ) async throws(SourceError) -> FetchResult {
        let response = try await reporting(to: progress).send(request) { $0.explanation(in: members) }
        let result = try FetchResult(response, since: version, of: request.source)
        guard case .values(let body, let newVersion) = result else { return result }
        let bytes = try SourceError.reading(request.source) { () throws(DocumentError) in try read(body) }
        return .values(bytes, version: hasVersions ? newVersion : nil)
    }
}

extension SourceResponse {
    /// The service's explanation in an error response: the first of these members of a JSON object that is a text or a
    /// list of texts, or the whole response if it is a plain text.
    package func explanation(in members: [String]) -> String? {
        guard let root = (try? JSONDocument(parsing: body))?.root else {
            let isText = headers["Content-Type"]?.hasPrefix("text/plain") == true && !body.isEmpty
            return isText ? String(decoding: body, as: UTF8.self) : nil
        }
        let explanations = members.lazy.compactMap { root[$0] }.compactMap { value in
            value.text?.string ?? value.elements.compactMap { $0.text?.string }.joined(separator: "; ")
        }
        return explanations.first { !$0.isEmpty }
    }
}
