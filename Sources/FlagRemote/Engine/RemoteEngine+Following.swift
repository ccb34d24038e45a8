package import FlagModel
package import FlagStorage
import Synchronization

// Live updates, and changes of other processes.
extension RemoteEngine {
    /// Follows sources by the changes that they report and by polling, until the task is cancelled. Returns at once if
    /// no source can be followed. Callers share the subscriptions, and the last one ends them.
    package func follow() async {
        let followers = state.withLock { state in
            state.followings += 1
            if state.followings == 1 { for index in state.sources.indices { startFollowing(index, in: &state) } }
            return Array(state.followers.values)
        }
        if configured.contains(where: { $0 is any EvaluatedSource }) {
            // It may be followable for another context, which replaces its subscription.
            let (never, end) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
            end.finish()
        } else {
            for follower in followers where !Task.isCancelled { _ = await follower.value() }
        }
        state.withLock { state in
            state.followings -= 1
            guard state.followings == 0 else { return }
            state.followers.values.forEach { $0.cancel() }
            state.followers = [:]
        }
    }

    func startFollowing(_ index: Int, in state: inout State) {
        state.followers[index]?.cancel()
        let (source, identity) = (state.sources[index].source, state.sources[index].identity)
        let updates = LiveUpdates(source, clock: clock) { [weak self] error in
            guard error?.code != .cancelled else { return }
            self?.change { state in
                (state.sources[index].identity == identity ? [.liveUpdates(index, error)] : [], ())
            }
        } refresh: { [weak self] in
            await self?.refresh(index, identity)
        }
        state.followers[index] = Task(executorPreference: OwnThreads.engine) { await updates.follow() }
    }

    /// Watches the context overrides, and what other processes activate, until the engine is released.
    ///
    /// - Throws: why changes of other processes do not arrive.
    package func watch() throws(StorageError) {
        watches.withLock { $0 = $0 ?? [:] }
        try renewWatches()
    }

    /// Watches the paths in use now, which a context override may have changed.
    private func renewWatches() throws(StorageError) {
        let paths = Set(watchedPaths)
        try watches.withLock { known throws(StorageError) in
            guard var watches = known else { return }
            for path in watches.keys where !paths.contains(path) { watches.removeValue(forKey: path)?.cancel() }
            defer { known = watches }
            for path in paths where watches[path] == nil {
                watches[path] = try DirectoryWatch(path) { [weak self] in self?.reload(path) }
            }
        }
    }

    private func reload(_ path: String) {
        if path == contextFile?.path { reloadContexts(isElsewhere: true) } else { reloadActivated() }
    }

    /// The files that change when another process activates values or changes a context.
    package var watchedPaths: [String] {
        let identities = state.withLock { $0.sources.filter(\.source.isCached).map(\.identity) }
        let hasContexts = configured.contains { $0 is any EvaluatedSource }
        return (policy.activation == .manual ? identities.compactMap { cache.path(ofActive: $0) } : [])
            + [hasContexts ? contextFile?.path : nil].compactMap { $0 }
    }

    /// Ends the watches.
    package func endWatch() {
        watches.withLock { watches in
            watches?.values.forEach { $0.cancel() }
            watches = nil
        }
    }

    /// Takes over what another process has activated.
    package func reloadActivated() {
        change { state in
            var hasChanged = false
            for index in state.sources.indices where state.sources[index].source.isCached {
                if state.sources[index].reload(cache) { hasChanged = true }
            }
            if hasChanged { state.activations += 1 }
            return (hasChanged ? [.activatedElsewhere] : [], ())
        }
    }
}

// A tester's context overrides.
extension RemoteEngine {
    func contextOverride(of source: any RemoteSource, in contexts: ContextFile.Reading) -> OwnContext {
        guard let source = source as? any EvaluatedSource else { return OwnContext() }
        return contexts.contexts[source.contextName] ?? source.formerContextName.flatMap { contexts.contexts[$0] }
            ?? OwnContext()
    }

    func overridden(_ source: any RemoteSource, _ own: OwnContext) -> any RemoteSource {
        (source as? any EvaluatedSource)?.overriding(own) ?? source
    }

    /// Why a tester's change cannot be made.
    package enum ContextChangeError: Error {
        /// A source cannot be evaluated like that.
        case source(SourceError)
        /// The change cannot be stored.
        case storage(StorageError)
    }

    /// Stores a tester's change and applies it from now on. Cached values for it are in use at once; the rest must be
    /// fetched.
    ///
    /// - Returns: a sentence that the user must see although the change was made; else `nil`.
    package func changeContext(_ change: ContextChange) throws(ContextChangeError) -> String? {
        open()
        guard let contextFile else { return nil }
        return try changingContexts.withLock { _ throws(ContextChangeError) in
            let reading = contextFile.read()
            let source = configured.lazy.compactMap { $0 as? any EvaluatedSource }
                .first { $0.contextName == change.source }
            if let source, let error = source.error(in: change.edits, to: contextOverride(of: source, in: reading)) {
                throw .source(error)
            }
            let notice: String?
            do throws(StorageError) {
                notice = try contextFile.apply(change, renaming: source?.formerContextName)
            } catch {
                throw .storage(error)
            }
            takeContexts(of: contextFile, isElsewhere: false, notice)
            return notice
        }
    }

    /// Takes over the current file of context overrides.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    package func reloadContexts(isElsewhere: Bool) -> Bool {
        guard let contextFile else { return false }
        open()
        // Not between a write of this process and its effect, which is not a change of another process.
        return changingContexts.withLock { _ in takeContexts(of: contextFile, isElsewhere: isElsewhere, nil) }
    }

    @discardableResult
    private func takeContexts(of contextFile: ContextFile, isElsewhere: Bool, _ notice: String?) -> Bool {
        // Values that are decoded in another way are read from the cache.
        save()
        let reading = contextFile.read()
        let hasChanged = change { state -> (causes: [RemoteUpdate.Cause], Bool) in
            var changed = configured.indices.filter {
                contextOverride(of: configured[$0], in: reading) != state.sources[$0].contextOverride
            }
            if !changed.isEmpty {
                // A source that was a duplicate may no longer be one.
                changed += configured.indices.filter {
                    !changed.contains($0) && state.sources[$0].source is UnavailableSource
                }
            }
            let hasChanged = !changed.isEmpty || reading.problem != state.contexts.problem
            state.contexts = reading
            var ended: [RemoteUpdate.Cause] = []
            for index in changed { ended += replaceSource(index, in: &state) }
            if !changed.isEmpty {
                state.activations += 1
                refuseDuplicates(&state.sources)
            }
            // Observers are notified of a change that this process made even if it has no effect.
            let isTold = hasChanged || !isElsewhere
            return ((isTold ? [.contextChanged(isElsewhere: isElsewhere, notice: notice)] : []) + ended, hasChanged)
        }
        noteWatches()
        return hasChanged
    }

    /// Watches the paths in use now. If that fails they are read at the next start.
    private func noteWatches() {
        var watchError: String?
        do throws(StorageError) {
            try renewWatches()
        } catch {
            watchError = "Changes by other processes show at the next start: \(error)"
        }
        change { state in
            let isNew = state.watchError != watchError
            state.watchError = watchError
            return (isNew ? [.contextChanged(isElsewhere: true, notice: nil)] : [], ())
        }
    }

    /// Replaces the source with the one for the current context, also in a request under way.
    ///
    /// - Returns: the ends of those fetches that waited for this request alone, if it cannot be sent again.
    private func replaceSource(_ index: Int, in state: inout State) -> [RemoteUpdate.Cause] {
        let own = contextOverride(of: configured[index], in: state.contexts)
        let source = overridden(configured[index], own)
        let isSame = source.identity == state.sources[index].identity
        if !isSame || !state.sources[index].reread(by: source, overriding: own, cache: cache) {
            state.sources[index] = opened(source, own, clock.now())
        }
        if state.followings > 0 { startFollowing(index, in: &state) }
        guard let flight = state.flights.removeValue(forKey: index) else { return [] }
        flight.task.cancel()
        guard !flight.fetches.isEmpty else { return [] }
        let now = clock.now()
        if case .throttled(let end) = state.sources[index].schedule.verdict(at: now, minimumInterval: .zero) {
            state.sources[index].note(Self.rateLimited(state.sources[index], end, now))
            return Self.ended(flight.fetches, in: &state)
        }
        startFlight(index, in: &state, as: flight)
        return []
    }
}
