#if Network
import FlagModel
import FlagRemote
import Synchronization

/// What a run observes of its source, and how it controls it.
final class SourceWatch: Sendable {
    struct State {
        /// The number of fetches.
        var fetches = 0
        /// The errors because of which there were no live updates, in order.
        var disconnections: [SourceError] = []
        /// The number of attempts to open a stream.
        var attempts = 0
        /// The limits of streams that are opened later; `nil` to use those of the request.
        var limits: SourceLimits?
        /// How often the store may poll.
        var polls = 0
    }

    private let values = Mutex(State())

    var state: State { values.withLock { $0 } }

    func change<Result: Sendable>(_ change: (inout State) -> Result) -> Result { values.withLock { change(&$0) } }

    /// Waits until the store may poll.
    func waitForPoll() async throws {
        try await wait(for: "permission to poll") {
            change { state in
                defer { state.polls = max(0, state.polls - 1) }
                return state.polls > 0
            }
        }
    }
}

/// A wrapper of a source that counts fetches and records disconnections. If the wrapper has an interval, it is polled
/// and has no live updates.
struct WatchedSource: RemoteSource {
    let base: any RemoteSource
    let watch: SourceWatch
    var interval: Duration?

    var pollInterval: Duration? { interval ?? base.pollInterval }
    var identity: SourceIdentity { base.identity }
    var name: String { base.name }

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        watch.change { $0.fetches += 1 }
        return try await base.fetch(since: version)
    }
    func readSynchronously() throws(SourceError) -> FetchResult? { try base.readSynchronously() }
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try base.decode(bytes) }

    func changes() -> AsyncStream<LiveUpdateEvent>? {
        guard interval == nil, let liveUpdates = base.changes() else { return nil }
        return .reported { updates in
            for await event in liveUpdates {
                if case .disconnected(let error) = event { watch.change { $0.disconnections.append(error) } }
                updates.yield(event)
            }
        }
    }
}

/// A wrapper of a transport that counts the streams it opens, and can replace their limits.
struct WatchedTransport: SourceTransport {
    let base: any SourceTransport
    let watch: SourceWatch

    func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        try await base.send(request, limits: limits, progress: progress)
    }

    func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        watch.change { $0.attempts += 1 }
        return try await base.open(request, limits: watch.state.limits ?? limits)
    }
}
#endif
