#if Server
import FlagModel
import FlagRemote
import Synchronization

/// The remote values for the evaluation contexts of requests.
///
/// Sources that evaluate flags get the context of the request on top of the project's; all other sources are read once
/// for all contexts. Values are requested when a request needs them: the first time, and again after the project's own
/// source has responded. A context that is no longer used gives its place to a new one.
actor EvaluationContexts {
    /// The remote values for one context: the state of all sources with them, and a number that differs from that of all
    /// other values; 0 if there are none yet.
    typealias Values = (remote: RemoteState, sources: [ServedSource], version: Int)

    /// How many contexts are remembered. Further ones are rejected while all of these are in use.
    static let limit = 300
    /// How many new contexts are accepted in a second. Each may send a request to each source.
    static let newPerSecond = 10
    /// How long after its last request a context counts as used, and may not be replaced by another one, in seconds.
    private static let usedTime: Int64 = 60
    /// How long a source is at least not requested for a context after it has failed, in seconds.
    private static let pauseAfterFailure: Int64 = 10

    private struct Entry {
        let sources: [Int: any RemoteSource]
        var documents: [Int: FetchedDocument] = [:]
        var errors: [Int: SourceError] = [:]
        /// The requests under way.
        var fetch: Task<Void, Never>?
        /// The generation for which the values were requested last; `nil` if that failed.
        var generation: Int?
        /// When the values may be requested again.
        var nextFetch = FlagTimestamp(seconds: 0)
        var usedAt: FlagTimestamp
        /// The number of the last response, among those for all contexts; 0 before the first one.
        var version = 0
    }

    private let remote: RemoteEngine
    /// How long a request waits for the values of its context.
    private let fetchTime: Duration
    private var entries: [OFREPContext: Entry] = [:]
    private var rate = RateLimit(perSecond: EvaluationContexts.newPerSecond)
    private var responses = 0
    /// How often values have become out of date, from 1 on; 0 before the first context.
    private let generation = Atomic(0)
    /// Called when clients should evaluate again.
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)
    /// Waits until a source that has failed may be requested again.
    private var retry: Task<Void, any Error>?

    /// - Parameter remote: the engine with the sources and their project's contexts.
    init(_ remote: RemoteEngine, fetchTime: Duration = .seconds(5)) {
        (self.remote, self.fetchTime) = (remote, fetchTime)
    }

    /// Calls a handler when clients should evaluate again: values have come later than requests wait for them, or a source
    /// that has failed may be requested again.
    nonisolated func observe(_ handler: @escaping @Sendable () -> Void) { observer.withLock { $0 = handler } }

    /// Requests all values again when they are next needed, if a source that depends on the context has responded for
    /// the project's context.
    ///
    /// - Returns: whether clients should evaluate again.
    nonisolated func expire(after source: RemoteState.Source) -> Bool {
        guard source.evaluation?.context != nil, generation.load(ordering: .relaxed) > 0 else { return false }
        generation.add(1, ordering: .relaxed)
        return true
    }

    /// The remote values for a context. Requests them if they are missing or out of date.
    ///
    /// - Throws: that a source rejects the context, or that there are too many contexts.
    func values(for context: OFREPContext) async throws(APIError) -> Values {
        let now = remote.clock.now()
        var entry = if let known = entries[context] { known } else { try newEntry(for: context, at: now) }
        let generation = generation.max(1, ordering: .relaxed).newValue
        entry.usedAt = now
        if entry.fetch == nil, entry.generation != generation, now >= entry.nextFetch {
            entry.fetch = Task { await fetch(context) }
        }
        entries[context] = entry
        _ = await entry.fetch?.value(within: fetchTime)
        guard let current = entries[context] else { throw Self.tooMany(retryAfter: 1) }
        let own = remote.current
        let documents = current.sources.keys.map { ($0, current.documents[$0]) }
        let values = own.replacingValues(Dictionary(uniqueKeysWithValues: documents))
        // A source that has values for other contexts has some for this one, too, even if it has just failed.
        let waiting = current.sources.keys.filter { place in
            current.documents[place] == nil && (current.errors[place] == nil || own.sources[place].active != nil)
        }
        return (values, ServedSource.all(in: values, waiting: waiting, errors: current.errors), current.version)
    }

    private func fetch(_ context: OFREPContext) async {
        let start = ContinuousClock.now
        repeat {
            // Values that become out of date meanwhile are requested again: a request that waits wants the newest.
            entries[context]?.generation = generation.load(ordering: .relaxed)
            for (place, source) in entries[context]?.sources ?? [:] {
                await read(source, at: place, for: context)
            }
        } while entries[context]?.generation.map { $0 != generation.load(ordering: .relaxed) } ?? false
        entries[context]?.fetch = nil
        if entries[context]?.generation == nil { planRetry() }
        if start.duration(to: .now) > fetchTime { observer.withLock { $0 }?() }
    }

    private func read(_ source: any RemoteSource, at place: Int, for context: OFREPContext) async {
        do throws(SourceError) {
            let old = entries[context]?.documents[place]
            let document = try await remote.values(of: source, at: place, since: old)
            entries[context]?.documents[place] = document
            entries[context]?.errors[place] = nil
        } catch {
            let pause = max(error.retryAfter?.components.seconds ?? 0, Self.pauseAfterFailure)
            entries[context]?.errors[place] = error
            entries[context]?.generation = nil
            entries[context]?.nextFetch = FlagTimestamp(seconds: remote.clock.now().seconds + pause)
        }
        responses += 1
        entries[context]?.version = responses
    }

    /// Tells clients to evaluate again as soon as the first source that has failed may be requested again. A context of
    /// which no client asks is not requested.
    private func planRetry() {
        let now = remote.clock.now()
        let ends = entries.values.filter { $0.generation == nil && $0.nextFetch > now }.map(\.nextFetch)
        guard let next = ends.min() else { return }
        retry?.cancel()
        retry = Task { [weak self, clock = remote.clock] in
            try await clock.sleep(.seconds(next.seconds - now.seconds))
            self?.observer.withLock { $0 }?()
            await self?.planRetry()
        }
    }

    /// Makes room for a new context.
    ///
    /// - Throws: that a source rejects it, or that there are too many, as other values than those of the context would be
    ///   wrong.
    private func newEntry(for context: OFREPContext, at now: FlagTimestamp) throws(APIError) -> Entry {
        let sources = try evaluatedSources(for: context)
        if entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) {
            let unused = now.seconds - oldest.value.usedAt.seconds
            guard unused >= Self.usedTime else { throw Self.tooMany(retryAfter: Int(Self.usedTime - unused)) }
            entries.removeValue(forKey: oldest.key)
        }
        guard !rate.isExceeded(adding: 1, at: now) else { throw Self.tooMany(retryAfter: 1) }
        return Entry(sources: sources, usedAt: now)
    }

    /// The sources that are evaluated for a context, by their places.
    private func evaluatedSources(for context: OFREPContext) throws(APIError) -> [Int: any RemoteSource] {
        var sources: [Int: any RemoteSource] = [:]
        for (place, source) in remote.current.sources.enumerated() where source.evaluation?.context != nil {
            guard let evaluated = remote.configured[place] as? any EvaluatedSource else { continue }
            let targetingKey = context.targetingKey.map {
                ContextEdit.set(name: evaluated.targetingMember, value: JSONOutput.quoted($0))
            }
            let edits = [targetingKey].compactMap { $0 } + context.edits
            var contextOverride = ContextOverride()
            if let error = evaluated.error(in: edits, to: contextOverride) {
                throw APIError(.invalidContext, error.asSentence)
            }
            for edit in edits { contextOverride.apply(edit) }
            sources[place] = evaluated.overriding(contextOverride)
        }
        return sources
    }

    /// There are more evaluation contexts than the server reads values for.
    private static func tooMany(retryAfter seconds: Int) -> APIError {
        APIError(
            .rateLimited,
            "The server reads values for \(limit) evaluation contexts, and for \(newPerSecond) new ones in a second. "
                + "Retry in \(seconds) s.", retryAfter: seconds)
    }
}
#endif
