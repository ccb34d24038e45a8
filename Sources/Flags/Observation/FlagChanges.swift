/// An asynchronous sequence of the changes of one flag, or of all, for one `for await` loop. A slow reader gets one
/// merged change of each flag, and never misses the final value.
public struct FlagChanges<Value: Sendable>: AsyncSequence, Sendable {
    /// A change of a flag.
    public typealias Element = FlagChange<Value>
    /// Observing does not fail.
    public typealias Failure = Never

    let feed: ChangeFeed
    /// A signal after changes; the subscription ends with it.
    let signals: AsyncStream<Void>
    let read: @Sendable (FlagChange<String?>) -> FlagChange<Value>

    /// Starts the subscription.
    public func makeAsyncIterator() -> Iterator {
        Iterator(feed: feed, read: read, signals: signals.makeAsyncIterator())
    }

    /// Iterates over changes until the task is cancelled or the store is released.
    public struct Iterator: AsyncIteratorProtocol {
        let feed: ChangeFeed
        let read: @Sendable (FlagChange<String?>) -> FlagChange<Value>
        var signals: AsyncStream<Void>.Iterator

        /// The next change; `nil` if the task is cancelled or the store was released.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> FlagChange<Value>? {
            while !Task.isCancelled {
                if let change = feed.popFirst() { return read(change) }
                guard await signals.next(isolation: actor) != nil else { return nil }
            }
            return nil
        }
    }
}
