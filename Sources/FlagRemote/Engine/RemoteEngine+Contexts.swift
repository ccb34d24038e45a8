import FlagModel
import Synchronization

// Values for contexts other than the engine's, such as those of the clients of a server.
extension RemoteEngine {
    /// The values of a source for another context. Sends no request if the source's own document has the values for
    /// every context, or while the source is rate limited.
    ///
    /// - Parameters:
    ///   - source: the source for the other context, made from the one at `place`.
    ///   - old: the last values for the context; `nil` if there are none.
    /// - Throws: why the source has no values for the context.
    package func values(
        of source: any RemoteSource, at place: Int, since old: FetchedDocument?
    ) async throws(SourceError) -> FetchedDocument {
        var own = state.withLock { $0.sources[place] }
        if own.identity == source.identity, own.reread(by: source, overriding: own.contextOverride, cache: cache),
            let document = own.active
        {
            return document
        }
        if let end = own.schedule.rateLimitEnd(at: clock.now()) {
            throw Self.rateLimited(own, end, clock.now())
        }
        let response = await Self.response(of: source, since: old?.version, within: policy.timeLimit) { _ in }
        guard
            var document = try FetchedDocument.decoded(response.get(), by: source, known: [old], at: clock.now()) ?? old
        else { throw .nothingFetched(source.name) }
        // These values are not cached.
        (document.fetchedAt, document.bytes) = (clock.now(), nil)
        return document
    }
}
