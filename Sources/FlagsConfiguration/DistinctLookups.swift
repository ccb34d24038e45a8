import Configuration

/// The results of looking up a key, at once and after each signal, without repeated ones.
///
/// A result is compared as the requested type: an override with the remote value is not a change, nor is an invalid
/// text that is removed.
struct DistinctLookups: AsyncSequence, Sendable {
    typealias Element = Result<LookupResult, any Error>
    typealias Failure = Never

    let news: AsyncStream<Void>
    let lookup: @Sendable () -> LookupResult

    init(news: AsyncStream<Void>, lookup: @escaping @Sendable () -> LookupResult) {
        self.news = news
        self.lookup = lookup
    }

    func makeAsyncIterator() -> Iterator { Iterator(news: news.makeAsyncIterator(), lookup: lookup) }

    struct Iterator: AsyncIteratorProtocol {
        var news: AsyncStream<Void>.Iterator
        let lookup: @Sendable () -> LookupResult
        private var last: LookupResult?

        init(news: AsyncStream<Void>.Iterator, lookup: @escaping @Sendable () -> LookupResult) {
            self.news = news
            self.lookup = lookup
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Element? {
            while await news.next(isolation: actor) != nil {
                let result = lookup()
                guard result != last else { continue }
                last = result
                return .success(result)
            }
            return nil
        }
    }
}
