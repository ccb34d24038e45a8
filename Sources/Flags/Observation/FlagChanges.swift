/// The changes of flags from the moment that it was asked for, for one reader. Somebody who is slow gets the newest, once
/// for each flag, and never misses how it ended.
public struct FlagChanges<Value: Sendable>: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = FlagChange<Value>
    /// Observing does not fail.
    public typealias Failure = Never

    private let subscription: ChangeSubscription
    private let read: @Sendable (FlagChange<String?>) -> FlagChange<Value>

    init(
        _ subscription: ChangeSubscription, reading read: @escaping @Sendable (FlagChange<String?>) -> FlagChange<Value>
    ) {
        self.subscription = subscription
        self.read = read
    }

    /// Begins to take changes.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: subscription, read: read, news: subscription.news.makeAsyncIterator())
    }

    /// Takes changes one by one; ends with its task.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: ChangeSubscription
        let read: @Sendable (FlagChange<String?>) -> FlagChange<Value>
        var news: AsyncStream<Void>.Iterator

        /// The next change; `nil` once the task is cancelled or the store is gone.
        public mutating func next() async -> FlagChange<Value>? {
            while !Task.isCancelled {
                if let change = subscription.feed.take() { return read(change) }
                guard await news.next() != nil else { return nil }
            }
            return nil
        }

        /// The next change; `nil` once the task is cancelled or the store is gone.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> FlagChange<Value>? {
            while !Task.isCancelled {
                if let change = subscription.feed.take() { return read(change) }
                guard await news.next(isolation: actor) != nil else { return nil }
            }
            return nil
        }
    }
}

/// A feed that is fed as long as somebody holds this.
struct ChangeSubscription: Sendable {
    let feed: ChangeFeed
    let news: AsyncStream<Void>
    let observation: FlagObservation
}
