import Dispatch
import Synchronization

// Observing. What another process overrides arrives here by itself: the system tells of the change, nobody polls.
extension FlagStore {
    /// Every change of an effective value from now on, as text: whoever takes them late gets the newest of each flag.
    public var changes: FlagChanges<String?> { FlagChanges(subscribe(to: .all)) { $0 } }

    /// Every change of one flag from now on.
    public func changes<Value>(of key: FlagKey<Value>) -> FlagChanges<Value> {
        FlagChanges(subscribe(to: .value(key.declaration))) { Self.typed($0, key) }
    }

    /// Every change of one key that no code declares, as text; `nil` where no layer has it.
    public func changes(of key: String) -> FlagChanges<String?> { FlagChanges(subscribe(to: .text(key))) { $0 } }

    /// Calls a handler after each change of any effective value.
    ///
    /// - Parameter handler: called on a queue of its own, one call at a time.
    /// - Returns: what ends the calls when it goes.
    public func onChange(_ handler: @escaping @Sendable (FlagChange<String?>) -> Void) -> FlagObservation {
        observe(.all, handler)
    }

    /// Calls a handler after each change of one flag.
    ///
    /// - Parameters:
    ///   - key: the flag.
    ///   - handler: called on a queue of its own, one call at a time.
    /// - Returns: what ends the calls when it goes.
    public func onChange<Value>(
        of key: FlagKey<Value>, _ handler: @escaping @Sendable (FlagChange<Value>) -> Void
    ) -> FlagObservation {
        observe(.value(key.declaration)) { handler(Self.typed($0, key)) }
    }

    /// Calls a handler after each change of one key that no code declares.
    ///
    /// - Parameters:
    ///   - key: the flag.
    ///   - handler: called on a queue of its own, one call at a time.
    /// - Returns: what ends the calls when it goes.
    public func onChange(
        of key: String, _ handler: @escaping @Sendable (FlagChange<String?>) -> Void
    ) -> FlagObservation {
        observe(.text(key), handler)
    }

    private static func typed<Value>(_ change: FlagChange<String?>, _ key: FlagKey<Value>) -> FlagChange<Value> {
        func value(_ text: String?) -> Value { text.flatMap(key.declaration.coding.read) ?? key.defaultValue }
        return FlagChange(key: change.key, old: value(change.old), new: value(change.new), layer: change.layer)
    }

    private func observe(
        _ subject: ObservedFlags, _ handler: @escaping @Sendable (FlagChange<String?>) -> Void
    ) -> FlagObservation {
        let calls = HandlerCalls(handler)
        let feed = ChangeFeed(subject) { calls.schedule() }
        calls.begin(with: feed)
        let number = add(feed)
        return FlagObservation { [weak self] in
            calls.end()
            self?.removeFeed(number)
        }
    }

    private func add(_ feed: ChangeFeed) -> UInt64 {
        state.withLock { state in
            state.lastFeed += 1
            state.feeds[state.lastFeed] = feed
            return state.lastFeed
        }
    }

    private func removeFeed(_ number: UInt64) {
        // Out of the lock before it goes: what it holds may be the last reference to something of the app.
        let feed = state.withLock { $0.feeds.removeValue(forKey: number) }
        withExtendedLifetime(feed) {}
    }

    private func subscribe(to subject: ObservedFlags) -> ChangeSubscription {
        // One waiting signal is enough: whoever wakes takes everything that waits.
        let (news, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let feed = ChangeFeed(subject, onNews: { signal.yield() }, onEnd: { signal.finish() })
        let number = add(feed)
        return ChangeSubscription(feed: feed, news: news) { [weak self] in self?.removeFeed(number) }
    }
}

/// Hands the changes of a feed to a handler, one after the other.
private final class HandlerCalls: Sendable {
    private let handler: @Sendable (FlagChange<String?>) -> Void
    private let queue = DispatchQueue(label: "flags.changes")
    private let feed = Mutex<ChangeFeed?>(nil)

    init(_ handler: @escaping @Sendable (FlagChange<String?>) -> Void) { self.handler = handler }

    func begin(with feed: ChangeFeed) { self.feed.withLock { $0 = feed } }

    func end() { feed.withLock { $0 = nil } }

    func schedule() {
        queue.async {
            while let change = self.feed.withLock({ $0 })?.take() { self.handler(change) }
        }
    }
}
