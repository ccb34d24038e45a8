public import FlagRemote
import Synchronization

/// A transport without a network that responds from a script and records the requests. The last response is repeated.
public final class ScriptedTransport: SourceTransport {
    /// The scripted response to one request.
    public enum Response: Sendable {
        /// Responds with this response.
        case response(SourceResponse)
        /// Fails with an error of this code and sentence.
        case failure(SourceError.Code, String)
        /// Opens a stream that sends these chunks and then ends.
        case chunks([[UInt8]], contentType: String = "text/event-stream")
    }

    private struct State {
        var responses: [Response]
        var requests: [SourceRequest] = []
        var limits: [SourceLimits] = []
    }

    private let state: Mutex<State>

    /// A transport with scripted responses.
    public init(_ responses: [Response]) { state = .init(State(responses: responses)) }

    /// The requests, in order.
    public var requests: [SourceRequest] { state.withLock { $0.requests } }

    /// The limits of each request.
    public var limits: [SourceLimits] { state.withLock { $0.limits } }

    private func next(
        _ request: SourceRequest, _ limits: SourceLimits
    ) throws(SourceError) -> (status: Int, headers: SourceHeaders, chunks: [[UInt8]]) {
        let response = state.withLock { state in
            state.requests.append(request)
            state.limits.append(limits)
            return state.responses.count > 1 ? state.responses.removeFirst() : state.responses.first
        }
        switch response {
        case .response(let response): return (response.status, response.headers, [response.body])
        case .failure(let code, let sentence): throw SourceError(code: code, path: request.source, sentence: sentence)
        case .chunks(let chunks, let type): return (200, SourceHeaders([("Content-Type", type)]), chunks)
        case nil: throw SourceError(code: .unreachable, path: request.source, sentence: "the script is empty")
        }
    }

    /// The next scripted response, as a whole.
    public func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        let (status, headers, chunks) = try next(request, limits)
        return SourceResponse(status: status, headers: headers, body: chunks.flatMap(\.self))
    }

    /// The next scripted response, as a stream.
    public func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        let (status, headers, chunks) = try next(request, limits)
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            for chunk in chunks { continuation.yield(chunk) }
            continuation.finish()
        }
        return SourceStream(
            status: status, headers: headers, chunks: ByteChunks(stream) { _ in .cancelled(request.source) })
    }
}
