package import FlagModel
import FlagStorage
import Synchronization

/// The engine for the remote values of apps and of the tool: fetches, caches, rate-limits and follows sources, and
/// activates their values.
///
/// Its state is one value under one lock. A source has at most one request under way, which all waiting fetches share.
/// Observers are called in the order of the changes, and outside the lock, as they run code of the app.
package final class RemoteEngine: Sendable {
    /// Identifies a fetch and its requests.
    package struct FetchID: Sendable, Hashable { fileprivate let number: Int }

    /// A request under way.
    struct Flight {
        let number: Int
        let task: Task<Void, Never>
        /// The fetches that wait for the response.
        var fetches: Set<FetchID>
        /// Whether to activate the response when it arrives.
        var isActivating: Bool
        /// Whether live updates or polling need the response, so that the request continues without a fetch.
        var isLive = false
        /// Whether progress was reported a moment ago.
        var isPausing = false
        /// Progress that arrived during the pause, to be reported after it.
        var delayedProgress: SourceProgress?
    }

    struct State {
        var sources: [SourceState] = []
        var flights: [Int: Flight] = [:]
        /// The fetches under way, each with the number of ``RemoteState/activations`` when it began.
        var fetches: [FetchID: (scope: FetchScope, activations: Int)] = [:]
        var subscribers: [Int: Task<Void, Never>] = [:]
        /// The watches of the files that are followed without a call, by the indices of their sources.
        var followedFiles: [Int: DirectoryWatch] = [:]
        /// How many calls of ``followUpdates()`` are active.
        var subscriptions = 0
        var contexts: FlagTable<ContextOverride> = [:]
        /// The revision of the contents that have `contexts`; older ones do not replace them.
        var contextsRevision = 0
        /// The state as the observer sees it, without its sources.
        var published = RemoteState()
        var lastNumber = 0
        var isOpen = false
        /// Whether what a subscription receives is activated although the policy is to activate manually.
        var activatesUpdates = false
        /// Updates that the observer has not received yet.
        var unreported: [RemoteUpdate] = []
        var observer: (report: @Sendable (RemoteUpdate) -> Void, afterwards: @Sendable () -> Void)?

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The sources as passed to the initializer, without context overrides.
    package let configured: [any RemoteSource]
    package let policy: RemotePolicy
    package let clock: SourceClock
    let cache: RemoteCache
    let state = Mutex(State())
    /// Locked while the cache is written or watches are replaced: the watches by their paths; `nil` if nothing is watched.
    let watches = Mutex<[String: DirectoryWatch]?>(nil)
    /// Locked while the observer is called.
    private let reporting = Mutex<Void>(())

    /// An engine that has not read anything yet.
    ///
    /// - Parameters:
    ///   - sources: the sources of values. If several sources have a key, the first one wins.
    ///   - cache: the last good responses.
    ///   - policy: when values are requested and activated.
    ///   - clock: time and randomness.
    package init(
        sources: [any RemoteSource], cache: RemoteCache, policy: RemotePolicy = RemotePolicy(),
        clock: SourceClock = .system
    ) {
        configured = sources
        (self.cache, self.policy, self.clock) = (cache, policy, clock)
    }

    /// Reads file sources, and the cached values of all others. Sends no request. Later calls do nothing.
    ///
    /// - Parameters:
    ///   - contexts: the context overrides by the names of sources.
    ///   - isFromCache: whether files, too, are read from the cache, so that a later fetch finds their changes.
    @discardableResult
    package func open(
        overriding contexts: FlagTable<ContextOverride> = [:], isFromCache: Bool = false
    ) -> RemoteState {
        change { state in
            guard !state.isOpen else { return ([], snapshot(state)) }
            state.isOpen = true
            state.contexts = contexts
            state.sources = configured.map { source in
                let contextOverride = contextOverride(of: source, in: contexts)
                return opened(overridden(source, contextOverride), contextOverride, isFromCache: isFromCache)
            }
            refuseDuplicates(&state.sources)
            return ([.opened], snapshot(state))
        }
    }

    func opened(
        _ source: any RemoteSource, _ contextOverride: ContextOverride, isFromCache: Bool = false
    ) -> SourceState {
        SourceState(
            opening: source, overriding: contextOverride, cache: source.isCached ? cache : RemoteCache(folder: nil),
            activation: policy.activation, isFromCache: isFromCache, now: clock.now())
    }

    /// Makes a source unavailable if an earlier source has the same identity, such as with another token for the same
    /// address. Values are cached by identity, so the two sources would show each other's values.
    func refuseDuplicates(_ sources: inout [SourceState]) {
        var addresses: [SourceIdentity: String] = [:]
        for index in sources.indices where sources[index].identity.path == nil {
            let (identity, source) = (sources[index].identity, sources[index].source)
            guard let firstAddress = addresses[identity] else {
                addresses[identity] = source.address
                continue
            }
            let duplicate = UnavailableSource(duplicate: source, of: firstAddress)
            sources[index] = opened(duplicate, sources[index].contextOverride)
            sources[index].record(duplicate.error)
        }
    }

    package var current: RemoteState { state.withLock { snapshot($0) } }

    /// Calls the handler of the one observer with every change, in order. The handler must not change the engine.
    ///
    /// - Parameter afterwards: called without a lock after changes were reported. May change the engine.
    package func observe(
        _ handler: @escaping @Sendable (RemoteUpdate) -> Void, afterwards: @escaping @Sendable () -> Void
    ) { state.withLock { $0.observer = (handler, afterwards) } }

    /// Changes the state. Before this returns, the observer is notified of each cause that `body` returns.
    @discardableResult
    func change<Result>(_ body: (inout State) -> (causes: [RemoteUpdate.Cause], Result)) -> Result {
        let (result, hasUpdates) = state.withLock { state -> (Result, Bool) in
            let activations = state.published.activations
            let (causes, result): ([RemoteUpdate.Cause], Result) = body(&state)
            guard !causes.isEmpty else { return (result, false) }
            let (now, hasActivated) = (snapshot(state), state.published.activations != activations)
            state.unreported += causes.map { RemoteUpdate(cause: $0, state: now, hasActivated: hasActivated) }
            return (result, true)
        }
        if hasUpdates { deliverUpdates() }
        return result
    }

    /// Notifies the observer of all updates. When this returns, it has received every update so far, also those of other
    /// threads.
    func deliverUpdates() {
        reporting.withLock { _ in
            while let (update, observer) = state.withLock({
                $0.unreported.isEmpty ? nil : ($0.unreported.removeFirst(), $0.observer)
            }) {
                observer?.report(update)
            }
        }
        state.withLock { $0.observer }?.afterwards()
    }

    private func snapshot(_ state: State) -> RemoteState {
        var result = state.published
        let now = clock.now()
        result.sources = state.sources.indices.map { index in
            RemoteState.Source(
                configured: configured[index], state: state.sources[index], isRequested: state.flights[index] != nil,
                rateLimitedUntil: state.sources[index].schedule.rateLimitEnd(at: now))
        }
        return result
    }

    /// Activates fetched values.
    ///
    /// - Returns: whether there were fetched values.
    @discardableResult
    package func activate(isByMenu: Bool = false) -> Bool {
        change { state in
            let hasActivated = Self.activate(&state)
            return (hasActivated ? [.activated(isByMenu: isByMenu)] : [], hasActivated)
        }
    }

    @discardableResult
    static func activate(_ state: inout State) -> Bool {
        var hasActivated = false
        for index in state.sources.indices where state.sources[index].activate() { hasActivated = true }
        if hasActivated { state.published.activations += 1 }
        return hasActivated
    }

    /// Writes pending changes to the cache. The values in use never depend on the cache.
    ///
    /// - Returns: why the changes could not be written, as a sentence; `nil` if they were written.
    @discardableResult
    package func save() -> String? {
        let (hasWritten, failure) = watches.withLock { _ -> (Bool, String?) in
            let changed = state.withLock { state in
                state.sources.indices.filter { !state.sources[$0].unsaved.isEmpty }.map { index in
                    defer { state.sources[index].unsaved = [] }
                    return state.sources[index]
                }
            }
            guard !changed.isEmpty else { return (false, state.withLock { $0.published.cacheError }) }
            var failure: String?
            for saved in changed where saved.source.isCached {
                do throws(StorageError) {
                    try saved.save(to: cache)
                    update(saved.identity) { $0.didSave(saved) }
                } catch {
                    failure =
                        "The last good values of \(saved.source.name) could not be cached for the next start: \(error)"
                    update(saved.identity) { $0.unsaved += saved.unsaved }
                }
            }
            if changed.contains(where: { $0.unsaved.contains(.active) }) {
                let inUse = state.withLock { Set($0.sources.map(\.identity)) }
                // Files that cannot be removed take space and do no harm.
                try? cache.evict(besides: inUse, now: clock.now())
            }
            return (true, failure)
        }
        guard hasWritten else { return failure }
        return change { state in
            let isNew = state.published.cacheError != failure
            state.published.cacheError = failure
            return (isNew ? [.cached] : [], failure)
        }
    }

    private func update(_ identity: SourceIdentity, _ body: (inout SourceState) -> Void) {
        state.withLock { state in
            for index in state.sources.indices where state.sources[index].identity == identity {
                body(&state.sources[index])
            }
        }
    }

    /// An id for a fetch that may be cancelled.
    package func makeFetchID() -> FetchID { FetchID(number: state.withLock { $0.nextNumber() }) }

    deinit {
        state.withLock { $0.subscribers.values.forEach { $0.cancel() } }
        endWatch()
    }
}
