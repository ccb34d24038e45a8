/// The changes of flags since it was created, for one reader. A slow reader gets the newest change of each flag, and
/// never misses the final value.
public struct FlagChanges<Value: Sendable>: AsyncSequence, Sendable {
    /// A change of a flag.
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

    /// Starts the subscription.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: subscription, read: read, news: subscription.news.makeAsyncIterator())
    }

    /// Iterates over changes; ends with its task.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: ChangeSubscription
        let read: @Sendable (FlagChange<String?>) -> FlagChange<Value>
        var news: AsyncStream<Void>.Iterator

        /// The next change; `nil` if the task is cancelled or the store was released.
        public mutating func next() async -> FlagChange<Value>? {
            while !Task.isCancelled {
                if let change = subscription.feed.take() { return read(change) }
                guard await news.next() != nil else { return nil }
            }
            return nil
        }

        /// The next change; `nil` if the task is cancelled or the store was released.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> FlagChange<Value>? {
            while !Task.isCancelled {
                if let change = subscription.feed.take() { return read(change) }
                guard await news.next(isolation: actor) != nil else { return nil }
            }
            return nil
        }
    }
}

/// A subscription that lasts as long as this is retained.
struct ChangeSubscription: Sendable {
    let feed: ChangeFeed
    let news: AsyncStream<Void>
    let observation: FlagObservation
}
