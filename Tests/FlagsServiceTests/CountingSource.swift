import Flags
import Synchronization

/// A source whose flag `count` is the number of requests so far.
final class CountingSource: RemoteSource {
    let identity: SourceIdentity = "counting"
    let name = "Counting source"
    private let requests = Mutex(0)
    /// Why all requests fail; `nil` if they do not.
    private let failure = Mutex<SourceError.Code?>(nil)
    private let events: (stream: AsyncStream<LiveUpdateEvent>, continuation: AsyncStream<LiveUpdateEvent>.Continuation)
    private let reportsChanges: Bool

    init(reportsChanges: Bool = true) {
        self.reportsChanges = reportsChanges
        events = AsyncStream.makeStream()
    }

    /// Reports a change to the store that follows the source.
    func reportChange() { events.continuation.yield(.changed) }

    func fail(_ code: SourceError.Code) { failure.withLock { $0 = code } }

    func changes() -> AsyncStream<LiveUpdateEvent>? { reportsChanges ? events.stream : nil }

    func fetch(since version: String?, progress: @escaping ProgressHandler) async throws(SourceError) -> FetchResult {
        if let code = failure.withLock({ $0 }) { throw SourceError(code: code, path: name, sentence: "no response") }
        let count = requests.withLock { requests in
            requests += 1
            return requests
        }
        return .values(Array(#"{"count": \#(count)}"#.utf8), version: nil)
    }
}
