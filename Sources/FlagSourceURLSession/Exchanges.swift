import FlagRemote
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests under way of a session, which reports the parts of their responses.
final class Exchanges: NSObject, URLSessionDataDelegate {
    /// A part of a response. The first part is the head.
    enum Part {
        case head(status: Int, SourceHeaders)
        case piece([UInt8])
    }

    /// The pieces of a response arrived faster than they were read.
    struct UnreadLimitExceeded: Error {}

    private struct Exchange {
        let task: URLSessionDataTask
        let parts: AsyncThrowingStream<Part, any Error>.Continuation
        /// How many bytes may arrive before others are read; negative if the limit is exceeded.
        var allowance: Int
    }

    private struct State {
        /// By the identifier of the task.
        var exchanges: [Int: Exchange] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// Starts a request, which ends if its response is released.
    ///
    /// - Parameter unreadLimit: the maximum number of bytes that may wait to be read.
    /// - Throws: a `CancellationError` after shutdown.
    func start(_ request: URLRequest, on session: URLSession, unreadLimit: Int) throws -> ArrivingResponse {
        let (parts, continuation) = AsyncThrowingStream.makeStream(of: Part.self)
        // A session that is invalidated ends the process if it gets a task.
        let task = try state.withLock { state in
            guard !state.isShutDown else { throw CancellationError() }
            let task = session.dataTask(with: request)
            state.exchanges[task.taskIdentifier] = Exchange(task: task, parts: continuation, allowance: unreadLimit)
            return task
        }
        let id = task.taskIdentifier
        continuation.onTermination = { [weak self] _ in self?.cancel(id) }
        task.resume()
        return ArrivingResponse(parts: parts) { [weak self] count in
            self?.state.withLock { $0.exchanges[id]?.allowance += count }
        }
    }

    /// Ends all requests, and permits no other.
    func shutdown() {
        state.withLock { $0.isShutDown = true }
        for id in state.withLock({ Array($0.exchanges.keys) }) { cancel(id, CancellationError()) }
    }

    private func cancel(_ id: Int, _ error: (any Error)? = nil) {
        let exchange = state.withLock { state in
            let exchange = state.exchanges.removeValue(forKey: id)
            exchange?.task.cancel()
            return exchange
        }
        exchange?.parts.finish(throwing: error)
    }

    private func receiveHead(_ response: URLResponse?, of id: Int) {
        guard let response = response as? HTTPURLResponse else { return }
        let headers = SourceHeaders(response.allHeaderFields.map { ("\($0.key)", "\($0.value)") })
        state.withLock { $0.exchanges[id] }?.parts.yield(.head(status: response.statusCode, headers))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        receiveHead(response, of: dataTask.taskIdentifier)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        let exchange = state.withLock { state in
            state.exchanges[id]?.allowance -= data.count
            return state.exchanges[id]
        }
        guard let exchange else { return }
        exchange.parts.yield(.piece(Array(data)))
        if exchange.allowance < 0 { cancel(id, UnreadLimitExceeded()) }
    }

    /// Declines every redirect, so that the response that redirects is reported: ``SourceRequest`` knows what may be sent
    /// where.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // It ends the process if a task was cancelled before.
        state.withLock { state in
            if state.exchanges[task.taskIdentifier] != nil { completionHandler(nil) }
        }
        #else
        completionHandler(nil)
        #endif
    }

    #if canImport(FoundationNetworking)
    /// Ends the response of a service that asks for credentials, which has arrived by then. FoundationNetworking would
    /// never report its end.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        cancel(task.taskIdentifier)
    }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let id = task.taskIdentifier
        // FoundationNetworking does not report the head of a response that could redirect, but has no `Location`. A head
        // that was reported before is not read again.
        if error == nil { receiveHead(task.response, of: id) }
        state.withLock { $0.exchanges.removeValue(forKey: id) }?.parts.finish(throwing: error)
    }
}

/// A response whose parts arrive one after another.
struct ArrivingResponse: Sendable {
    let parts: AsyncThrowingStream<Exchanges.Part, any Error>
    /// Called with the number of bytes that were read.
    let didRead: @Sendable (Int) -> Void

    /// Waits for the status and headers.
    func head() async throws -> (status: Int, headers: SourceHeaders) {
        for try await case .head(let status, let headers) in parts { return (status, headers) }
        // If the task is cancelled, the sequence ends.
        try Task.checkCancellation()
        throw URLError(.badServerResponse)
    }

    /// The pieces after the head.
    var body: some AsyncSequence<[UInt8], any Error> & Sendable {
        parts.compactMap { [didRead] part in
            guard case .piece(let bytes) = part else { return nil }
            didRead(bytes.count)
            return bytes
        }
    }
}
