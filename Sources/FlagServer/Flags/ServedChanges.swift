#if Server
import Synchronization

/// Tells the event streams of apps and pages that something has changed. A stream compares the numbers of changes with
/// those that its reader has seen, so it takes the same memory however long its reader sleeps.
final class ServedChanges: Sendable {
    /// How many changes of each kind there were.
    struct Counts: Sendable, Equatable {
        /// Changes of values, of overrides, and of the state of sources.
        var revision = 0
        /// Changes of the list of clients.
        var clients = 0
    }

    /// The signals for one stream, one after each change, and what ends them. The place is free again when the signals
    /// end or are released, also if the reader has gone before its stream begins.
    typealias Subscription = (signals: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    private struct State {
        var counts = Counts()
        var subscriptions: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastNumber = 0
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: how many streams may be open at the same time.
    init(limit: Int) { self.limit = limit }

    /// The changes so far.
    var counts: Counts { state.withLock { $0.counts } }

    /// How many streams are open.
    var count: Int { state.withLock { $0.subscriptions.count } }

    /// Counts a change, and wakes all streams.
    func announce(_ change: (inout Counts) -> Void) {
        state.withLock { change(&$0.counts) }
        wakeAll()
    }

    /// Wakes all streams, also without a change.
    func wakeAll() {
        for continuation in state.withLock({ Array($0.subscriptions.values) }) { continuation.yield() }
    }

    /// A new subscription; `nil` if too many are open or the server is ending.
    func subscribe() -> Subscription? {
        state.withLock { state in
            guard state.subscriptions.count < limit, !state.hasEnded else { return nil }
            let subscription = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            state.lastNumber += 1
            let number = state.lastNumber
            subscription.continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.subscriptions[number] = nil }
            }
            state.subscriptions[number] = subscription.continuation
            return (subscription.stream, subscription.continuation)
        }
    }

    /// Ends all subscriptions; later ones are refused.
    func endAll() {
        let ended = state.withLock { state in
            state.hasEnded = true
            return Array(state.subscriptions.values)
        }
        ended.forEach { $0.finish() }
    }
}
#endif
