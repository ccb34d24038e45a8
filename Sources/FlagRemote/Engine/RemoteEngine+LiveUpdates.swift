package import FlagModel
package import FlagStorage
import Synchronization

// Live updates, and changes by other processes.
extension RemoteEngine {
    /// Follows sources by the changes that they report and by polling, until the task is cancelled. Returns immediately
    /// if no source can be followed. Callers share the subscriptions, which end when the last caller is cancelled.
    ///
    /// - Parameter isActivating: whether to activate what a source sends, even if the policy is to activate manually.
    package func followUpdates(isActivating: Bool = false) async {
        let subscribers = state.withLock { state in
            state.subscriptions += 1
            if isActivating { state.activatesUpdates = true }
            for index in state.sources.indices where state.subscribers[index] == nil {
                startSubscription(index, in: &state)
            }
            return Array(state.subscribers.values)
        }
        if configured.contains(where: { $0 is any EvaluatedSource }) {
            // A new context replaces the source's subscription, and may make a source followable, so this does not
            // return early.
            let (never, end) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
            end.finish()
        } else {
            for subscriber in subscribers where !Task.isCancelled { _ = await subscriber.value() }
        }
        state.withLock { state in
            state.subscriptions -= 1
            guard state.subscriptions == 0 else { return }
            for index in state.sources.indices where state.followedFiles[index] == nil {
                state.subscribers.removeValue(forKey: index)?.cancel()
            }
        }
    }

    /// Follows the files among the sources without a call, until the engine is released. A subscription begins with the
    /// first change of its file; until then, no task runs. Called before the engine is opened, so that no change is
    /// missed.
    package func followFiles() throws(StorageError) {
        for (index, source) in configured.enumerated() {
            guard let file = source as? RemoteFile, file.isFollowed else { continue }
            let watch = try DirectoryWatch(file.path) { [weak self] in
                guard let self else { return }
                state.withLock { state in
                    guard state.isOpen, state.subscribers[index] == nil else { return }
                    self.startSubscription(index, in: &state)
                }
            }
            state.withLock { $0.followedFiles[index] = watch }
        }
    }

    func startSubscription(_ index: Int, in state: inout State) {
        state.subscribers[index]?.cancel()
        let (source, identity) = (state.sources[index].source, state.sources[index].identity)
        let updates = LiveUpdates(source: source, clock: clock) { [weak self] error in
            guard error?.code != .cancelled else { return }
            self?.change { state in
                (state.sources[index].identity == identity ? [.liveUpdates(index, error)] : [], ())
            }
        } isFailing: { [weak self] in
            self?.state.withLock { $0.sources[index].error != nil } ?? false
        } refresh: { [weak self] in
            await self?.refresh(index, identity)
        }
        state.subscribers[index] = Task(executorPreference: OwnThreads.engine) { await updates.followUpdates() }
    }

    /// Watches the values that other processes activate, until the engine is released. If that fails, the state says why.
    package func watch() {
        watches.withLock { $0 = $0 ?? [:] }
        updateWatches()
    }

    /// Watches the current paths, which a context override may have changed.
    private func updateWatches() {
        let paths = watchedPaths
        let watchError = watches.withLock { stored -> String? in
            guard var watches = stored else { return nil }
            defer { stored = watches }
            for path in watches.keys where !paths.contains(path) { watches.removeValue(forKey: path)?.cancel() }
            do throws(StorageError) {
                for path in paths where watches[path] == nil {
                    watches[path] = try DirectoryWatch(path) { [weak self] in self?.reloadActivated() }
                }
                return nil
            } catch {
                return "Changes by other processes show at the next start: \(error)"
            }
        }
        change { state in
            let isNew = state.published.watchError != watchError
            state.published.watchError = watchError
            return (isNew ? [.watchChanged] : [], ())
        }
    }

    /// The files that change when another process activates values.
    private var watchedPaths: Set<String> {
        guard policy.activation == .manual else { return [] }
        let identities = state.withLock { $0.sources.filter(\.source.isCached).map(\.identity) }
        return Set(identities.compactMap { cache.path(ofActive: $0) })
    }

    package func endWatch() {
        watches.withLock { watches in
            watches?.values.forEach { $0.cancel() }
            watches = nil
        }
    }

    /// Applies the values that other processes have activated.
    package func reloadActivated() {
        change { state in
            var hasChanged = false
            for index in state.sources.indices where state.sources[index].source.isCached {
                if state.sources[index].reload(cache) { hasChanged = true }
            }
            if hasChanged { state.published.activations += 1 }
            return (hasChanged ? [.activatedElsewhere] : [], ())
        }
    }

    // A tester's context overrides.

    func contextOverride(
        of source: any RemoteSource, in contexts: FlagTable<ContextOverride>
    ) -> ContextOverride {
        (source as? any EvaluatedSource).flatMap { contexts[$0.address] } ?? ContextOverride()
    }

    func overridden(_ source: any RemoteSource, _ contextOverride: ContextOverride) -> any RemoteSource {
        (source as? any EvaluatedSource)?.overriding(contextOverride) ?? source
    }

    /// The edit that makes a tester's change to a context.
    ///
    /// - Parameter contexts: the overrides before the change.
    /// - Throws: why the source cannot be evaluated for the changed context.
    package func edit(
        _ change: ContextChange, in contexts: FlagTable<ContextOverride>
    ) throws(SourceError) -> OverrideEdit {
        let source = configured.lazy.compactMap { $0 as? any EvaluatedSource }.first { $0.address == change.source }
        if let source, let error = source.error(in: change.edits, to: contextOverride(of: source, in: contexts)) {
            throw error
        }
        return .changeContext(change)
    }

    /// Replaces the context overrides, and each source whose override has changed. Values that are cached for the new
    /// context are in use immediately; others must be fetched.
    ///
    /// - Parameters:
    ///   - revision: the revision of the contents with these overrides; older ones than those in use are ignored.
    ///   - isRequested: whether the caller itself reports the result to the user.
    package func replaceContexts(with contexts: FlagTable<ContextOverride>, at revision: Int, isRequested: Bool) {
        // Saved first, as values that are decoded again are read from the cache.
        if state.withLock({ $0.isOpen && $0.contexts != contexts }) { save() }
        let hasChanged = change { state -> (causes: [RemoteUpdate.Cause], Bool) in
            guard state.isOpen, revision > state.contextsRevision else { return ([], false) }
            state.contextsRevision = revision
            var changed = configured.indices.filter {
                contextOverride(of: configured[$0], in: contexts) != state.sources[$0].contextOverride
            }
            state.contexts = contexts
            guard !changed.isEmpty else { return ([], false) }
            // A source that was a duplicate may no longer be one.
            changed += configured.indices.filter {
                !changed.contains($0) && state.sources[$0].source is UnavailableSource
            }
            var ended: [RemoteUpdate.Cause] = []
            for index in changed { ended += replaceSource(index, in: &state) }
            state.published.activations += 1
            refuseDuplicates(&state.sources)
            return ([.contextChanged(isRequested: isRequested)] + ended, true)
        }
        if hasChanged { updateWatches() }
    }

    /// Replaces a source with the source for the current context. A request under way is cancelled and sent again; a
    /// source that is followed and has no values for this context is requested.
    ///
    /// - Returns: the ends of the fetches that waited only for this request, if the request cannot be sent again.
    private func replaceSource(_ index: Int, in state: inout State) -> [RemoteUpdate.Cause] {
        let contextOverride = contextOverride(of: configured[index], in: state.contexts)
        let source = overridden(configured[index], contextOverride)
        let isSame = source.identity == state.sources[index].identity
        if !isSame || !state.sources[index].reread(by: source, overriding: contextOverride, cache: cache) {
            state.sources[index] = opened(source, contextOverride)
        }
        if state.subscriptions > 0 { startSubscription(index, in: &state) }
        let flight = state.flights.removeValue(forKey: index)
        flight?.task.cancel()
        let isAwaited = flight?.fetches.isEmpty == false
        guard isAwaited || state.subscriptions > 0 && state.sources[index].newest == nil else { return [] }
        let now = clock.now()
        if let end = state.sources[index].schedule.rateLimitEnd(at: now) {
            state.sources[index].record(Self.rateLimited(state.sources[index], end, now))
            return Self.ended(flight?.fetches ?? [], in: &state)
        }
        startFlight(index, in: &state, replacing: flight)
        state.flights[index]?.isLive = !isAwaited
        return []
    }
}
