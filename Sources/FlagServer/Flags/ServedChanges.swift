#if Server
import Synchronization

/// Announces changes to the event streams of apps and pages. A slow reader gets only the newest announcement of each
/// kind, so a stream takes the same memory however long its reader sleeps.
final class ServedChanges: Sendable {
    /// What has changed.
    enum Change: Sendable, Equatable {
        /// A value, an override, or the state of a source; the revision is the number of changes so far.
        case changed(revision: Int)
        /// The list of clients.
        case clients
    }

    /// The announcements that one reader has not taken yet.
    final class Subscription: Sendable {
        private struct Pending {
            var revision: Int?
            var hasNewClients = false
        }

        /// Yields after announcements; ends when the server ends.
        let signals: AsyncStream<Void>
        fileprivate let continuation: AsyncStream<Void>.Continuation
        private let pending = Mutex(Pending())

        fileprivate init() {
            (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        }

        fileprivate func put(_ change: Change) {
            pending.withLock { pending in
                switch change {
                case .changed(let revision): pending.revision = max(revision, pending.revision ?? 0)
                case .clients: pending.hasNewClients = true
                }
            }
            continuation.yield()
        }

        /// The changes since the last call.
        func drain() -> [Change] {
            pending.withLock { pending in
                defer { pending = Pending() }
                return (pending.revision.map { [.changed(revision: $0)] } ?? [])
                    + (pending.hasNewClients ? [.clients] : [])
            }
        }
    }

    private struct State {
        var subscriptions: [Int: Subscription] = [:]
        var lastNumber = 0
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: how many streams may be open at the same time.
    init(limit: Int) { self.limit = limit }

    /// How many streams are open.
    var count: Int { state.withLock { $0.subscriptions.count } }

    func announce(_ change: Change) {
        for subscription in state.withLock({ Array($0.subscriptions.values) }) { subscription.put(change) }
    }

    /// Wakes all readers without a change.
    func wakeAll() {
        for subscription in state.withLock({ Array($0.subscriptions.values) }) { subscription.continuation.yield() }
    }

    /// A subscription of one reader, which ends with the last reference, also if the reader has gone before its stream
    /// begins.
    final class Reader: Sendable {
        let subscription: Subscription
        private let feed: ServedChanges
        private let number: Int

        fileprivate init(_ subscription: Subscription, _ feed: ServedChanges, _ number: Int) {
            (self.subscription, self.feed, self.number) = (subscription, feed, number)
        }

        deinit { feed.end(number) }
    }

    /// A new subscription; `nil` if too many are open or the server is ending.
    func subscribe() -> Reader? {
        state.withLock { state in
            guard state.subscriptions.count < limit, !state.hasEnded else { return nil }
            let subscription = Subscription()
            state.lastNumber += 1
            state.subscriptions[state.lastNumber] = subscription
            return Reader(subscription, self, state.lastNumber)
        }
    }

    private func end(_ number: Int) {
        state.withLock { $0.subscriptions.removeValue(forKey: number) }?.continuation.finish()
    }

    /// Ends all subscriptions; later ones are refused.
    func endAll() {
        let ended = state.withLock { state in
            defer { (state.subscriptions, state.hasEnded) = ([:], true) }
            return Array(state.subscriptions.values)
        }
        ended.forEach { $0.continuation.finish() }
    }
}
#endif
