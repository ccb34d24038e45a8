#if Network
import AsyncHTTPClient
import FlagRemote
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

extension HTTPClientResponse {
    /// Reads the whole body. A response with status 204 or 304 has no body (RFC 9110, section 6.4.1), even if its
    /// headers describe one, as the headers of a 304 may. If `Content-Length` is above the limit, the response is
    /// rejected before its body is read.
    ///
    /// - Parameter limit: the maximum size of the body, in bytes.
    func bytes(
        upTo limit: Int, _ failure: HTTPFailure, progress: @Sendable (SourceProgress) -> Void
    ) async throws -> [UInt8] {
        if [204, 304].contains(status.code) {
            // Waits for the end, so that the connection can be used again. The decompressor reports an error if there
            // are no bytes.
            do { for try await _ in body {} } catch is NIOHTTPDecompression.ExtraDecompressionError {}
            try Task.checkCancellation()
            return []
        }
        let contentLength = headers.first(name: "Content-Length").flatMap { Int($0) }
        let coding = headers.first(name: "Content-Encoding")?.lowercased() ?? "identity"
        guard ["identity", "gzip", "deflate", ""].contains(coding) else { throw failure.unknownCoding(coding) }
        if let contentLength, contentLength > limit { throw failure.tooLarge }
        let isPlain = coding == "identity" || coding.isEmpty
        var bytes: [UInt8] = []
        if isPlain, let contentLength { bytes.reserveCapacity(contentLength) }
        for try await chunk in body {
            guard bytes.count + chunk.readableBytes <= limit else { throw failure.tooLarge }
            bytes += chunk.readableBytesView
            progress(.received(bytes: bytes.count, of: isPlain ? contentLength : nil))
        }
        // If the task is cancelled, the sequence may end as if it were complete.
        try Task.checkCancellation()
        return bytes
    }
}
#endif
