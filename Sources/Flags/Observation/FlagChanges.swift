/// The changes of flags since the sequence was created, for one reader. A slow reader gets one merged change of each
/// flag, and never misses the final value.
public struct FlagChanges<Value: Sendable>: AsyncSequence, Sendable {
    /// A change of a flag.
    public typealias Element = FlagChange<Value>
    /// Observing does not fail.
    public typealias Failure = Never

    private let subscription: ChangeSubscription
    private let read: @Sendable (FlagChange<String?>) -> FlagChange<Value>

    init(
        _ subscription: ChangeSubscription, read: @escaping @Sendable (FlagChange<String?>) -> FlagChange<Value>
    ) {
        self.subscription = subscription
        self.read = read
    }

    /// Starts the subscription.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: subscription, read: read, updates: subscription.updates.makeAsyncIterator())
    }

    /// Iterates over changes until the task is cancelled or the store is released.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: ChangeSubscription
        let read: @Sendable (FlagChange<String?>) -> FlagChange<Value>
        var updates: AsyncStream<Void>.Iterator

        /// The next change; `nil` if the task is cancelled or the store was released.
        public mutating func next() async -> FlagChange<Value>? { await next(isolation: nil) }

        /// The next change; `nil` if the task is cancelled or the store was released.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> FlagChange<Value>? {
            while !Task.isCancelled {
                if let change = subscription.feed.popFirst() { return read(change) }
                guard await updates.next(isolation: actor) != nil else { return nil }
            }
            return nil
        }
    }
}

/// A subscription, which ends when it is released.
struct ChangeSubscription: Sendable {
    let feed: ChangeFeed
    let updates: AsyncStream<Void>
    let observation: FlagObservation
}
