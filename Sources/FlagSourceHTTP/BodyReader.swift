#if Network
import AsyncHTTPClient
import FlagRemote
import NIOCore
import NIOHTTP1

/// Collects the body of a response, up to a limit.
struct BodyReader {
    let response: HTTPClientResponse
    /// The maximum size of the body, in bytes.
    let limit: Int
    let failure: HTTPFailure
    let progress: @Sendable (SourceProgress) -> Void

    /// Reads the whole body. A response whose `Content-Length` is above the limit is rejected before it is read.
    func read() async throws -> [UInt8] {
        let contentLength = response.headers.first(name: "Content-Length").flatMap { Int($0) }
        let coding = response.headers.first(name: "Content-Encoding")?.lowercased() ?? "identity"
        guard ["identity", "gzip", "deflate", ""].contains(coding) else { throw failure.unknownCoding(coding) }
        if let contentLength, contentLength > limit { throw failure.tooLarge }
        let isPlain = coding == "identity" || coding.isEmpty
        var bytes: [UInt8] = []
        if isPlain, let contentLength { bytes.reserveCapacity(contentLength) }
        for try await chunk in response.body {
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
