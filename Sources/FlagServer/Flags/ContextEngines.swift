#if Server
import FlagModel
import FlagRemote
import Synchronization

/// The engines that read remote values for the evaluation contexts of requests, one per context.
///
/// Sources that evaluate flags get the context of the request on top of the project's; all other sources are read once
/// for all contexts. An engine fetches when its context is first seen, and follows its sources until the context is no
/// longer used.
final class ContextEngines: Sendable {
    /// How many contexts have an engine; the one that was not used for the longest time ends first.
    static let limit = 300
    /// How long a context may be unused before its engine ends, in seconds.
    private static let idleTime: Int64 = 600
    /// How long a request waits for the first values of its context.
    private static let fetchTime = Duration.seconds(5)

    private struct Entry {
        let engine: RemoteEngine
        /// The place of each of the engine's sources among all sources.
        let places: [Int]
        let end: @Sendable () -> Void
        var usedAt: FlagTimestamp
        /// Whether a response had the values of the engine, so that clients must learn about later changes.
        var isInUse = false
    }

    private struct State {
        var entries: [OFREPContext: Entry] = [:]
        var observer: (@Sendable () -> Void)?
    }

    private let remote: RemoteEngine
    private let state = Mutex(State())

    /// - Parameter remote: the engine with the sources and their project's contexts.
    init(_ remote: RemoteEngine) { self.remote = remote }

    /// Calls a handler after each change of a context's values.
    func observe(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.observer = handler } }

    /// Whether the values of a source depend on the evaluation context.
    static func dependOnContext(_ current: RemoteState) -> Bool { current.sources.contains(where: isEvaluated) }

    private static func isEvaluated(_ source: RemoteState.Source) -> Bool { source.evaluation?().context != nil }

    /// The state of all sources, with the values for a context.
    ///
    /// - Throws: why a source cannot be evaluated for the context.
    func state(for context: OFREPContext) async throws(OFREPFailure) -> RemoteState {
        let now = remote.clock.now()
        let existing = state.withLock { state in
            state.entries[context]?.usedAt = now
            return state.entries[context]
        }
        let entry: Entry
        if let existing { entry = existing } else { entry = try start(context, now) }
        let engine = entry.engine
        if engine.current.sources.contains(where: { $0.active == nil && !$0.hasResponded }) {
            _ = await Task { await engine.fetch(.withoutResponse, isActivating: true) }.value(within: Self.fetchTime)
        }
        state.withLock { $0.entries[context]?.isInUse = true }
        var documents: [Int: FetchedDocument?] = [:]
        for (place, source) in zip(entry.places, entry.engine.current.sources) { documents[place] = source.active }
        return remote.current.replacingValues(documents)
    }

    /// Starts the engine of a context.
    private func start(_ context: OFREPContext, _ now: FlagTimestamp) throws(OFREPFailure) -> Entry {
        var (sources, places) = ([any RemoteSource](), [Int]())
        for (place, source) in remote.current.sources.enumerated() where Self.isEvaluated(source) {
            guard let evaluated = remote.configured[place] as? any EvaluatedSource else { continue }
            let edits = context.edits(targetingMember: evaluated.targetingMember)
            var contextOverride = ContextOverride()
            if let error = evaluated.error(in: edits, to: contextOverride) {
                throw OFREPFailure(.invalidContext, error.asSentence)
            }
            for edit in edits { contextOverride.apply(edit) }
            sources.append(evaluated.overriding(contextOverride))
            places.append(place)
        }
        let engine = RemoteEngine(
            // The users of an app are many, so their values are not cached on disk.
            sources: sources, cache: RemoteCache(folder: nil),
            policy: RemotePolicy(activation: .immediately, minimumInterval: .zero), clock: remote.clock)
        engine.open()
        let stop = engine.observe { [weak self] update in
            guard update.hasActivated else { return }
            self?.state.withLock { $0.entries[context]?.isInUse == true ? $0.observer : nil }?()
        }
        let subscription = Task(executorPreference: OwnThreads.engine) { await engine.followUpdates() }
        let entry = Entry(
            engine: engine, places: places,
            end: {
                stop()
                subscription.cancel()
            }, usedAt: now)
        add(entry, for: context, now)
        return entry
    }

    private func add(_ entry: Entry, for context: OFREPContext, _ now: FlagTimestamp) {
        let ended = state.withLock { state -> [Entry] in
            var unused = state.entries.filter { now.seconds - $0.value.usedAt.seconds > Self.idleTime }.map(\.key)
            if state.entries.count - unused.count >= Self.limit,
                let oldest = state.entries.min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                unused.append(oldest.key)
            }
            let ended = unused.compactMap { state.entries.removeValue(forKey: $0) }
            return ended + [state.entries.updateValue(entry, forKey: context)].compactMap { $0 }
        }
        for entry in ended { entry.end() }
    }

    deinit { for entry in state.withLock({ $0.entries.values }) { entry.end() } }
}

extension OFREPContext {
    /// The edits that put the context on top of a source's.
    ///
    /// - Parameter targetingMember: the member in which the source expects the targeting key.
    func edits(targetingMember: String) -> [ContextEdit] {
        (targetingKey.map { [.set(name: targetingMember, value: JSONOutput.quoted($0))] } ?? [])
            + members.map { .set(name: $0.name, value: $0.value) }
    }
}
#endif
