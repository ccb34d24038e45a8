#if Configuration
import Configuration

/// The results of looking up a key after each signal, without those that equal the previous result.
///
/// Results are values of the requested type, so they are equal if an override has the remote value, or if an invalid
/// text is removed.
struct DistinctLookups: AsyncSequence, Sendable {
    typealias Element = Result<LookupResult, any Error>
    typealias Failure = Never

    let updates: AsyncStream<Void>
    let lookup: @Sendable () -> LookupResult

    func makeAsyncIterator() -> Iterator { Iterator(updates: updates.makeAsyncIterator(), lookup: lookup) }

    struct Iterator: AsyncIteratorProtocol {
        var updates: AsyncStream<Void>.Iterator
        let lookup: @Sendable () -> LookupResult
        var last: LookupResult?

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Element? {
            while await updates.next(isolation: actor) != nil {
                let result = lookup()
                guard result != last else { continue }
                last = result
                return .success(result)
            }
            return nil
        }
    }
}
#endif
