extension SourceStream {
    /// Reads the whole body. A response with status 204 or 304 has no body (RFC 9110, section 6.4.1), even if its
    /// headers describe one, as the headers of a 304 may. If `Content-Length` is above the limit, the response is
    /// rejected before its body is read.
    package func response(
        _ failure: ExchangeFailure, progress: @Sendable (SourceProgress) -> Void
    ) async throws -> SourceResponse {
        var response = SourceResponse(status: status, headers: headers)
        if [204, 304].contains(status) {
            // Waits for the end, so that the connection can be used again. A decompressor reports an error if there are
            // no bytes.
            do { for try await _ in chunks {} } catch {}
            try Task.checkCancellation()
            return response
        }
        let contentLength = headers["Content-Length"].flatMap { Int($0) }
        guard ["identity", "gzip", "deflate"].contains(coding) else { throw failure.unknownCoding(coding) }
        if let contentLength, contentLength > failure.limits.bodySize { throw failure.tooLarge(isDecompressed: false) }
        let isPlain = coding == "identity"
        if isPlain, let contentLength { response.body.reserveCapacity(contentLength) }
        for try await chunk in chunks {
            guard response.body.count + chunk.count <= failure.limits.bodySize else {
                throw failure.tooLarge(isDecompressed: !isPlain)
            }
            response.body += chunk
            progress(.received(bytes: response.body.count, of: isPlain ? contentLength : nil))
        }
        // If the task is cancelled, the sequence may end as if it were complete.
        try Task.checkCancellation()
        return response
    }

    /// The same response, if it is not compressed.
    ///
    /// - Throws: an error if a successful response is compressed.
    package func requirePlain(_ failure: ExchangeFailure) throws(SourceError) -> SourceStream {
        guard coding == "identity" || !(200...299 ~= status) else { throw failure.unknownCoding(coding) }
        return self
    }

    /// The compression of the body, in lower case.
    private var coding: String {
        let coding = headers["Content-Encoding"]?.lowercased() ?? ""
        return coding.isEmpty ? "identity" : coding
    }
}
