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
            if state.subscriptions == 1 { for index in state.sources.indices { startSubscription(index, in: &state) } }
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
            state.subscribers.values.forEach { $0.cancel() }
            state.subscribers = [:]
        }
    }

    func startSubscription(_ index: Int, in state: inout State) {
        state.subscribers[index]?.cancel()
        let (source, identity) = (state.sources[index].source, state.sources[index].identity)
        let updates = LiveUpdates(source, clock: clock) { [weak self] error in
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

    /// Watches the context overrides, and the values that other processes activate, until the engine is released.
    ///
    /// - Throws: why changes by other processes are not noticed.
    package func watch() throws(StorageError) {
        watches.withLock { $0 = $0 ?? [:] }
        try renewWatches()
    }

    /// Watches the current paths, which a context override may have changed.
    private func renewWatches() throws(StorageError) {
        let paths = Set(watchedPaths)
        try watches.withLock { stored throws(StorageError) in
            guard var watches = stored else { return }
            for path in watches.keys where !paths.contains(path) { watches.removeValue(forKey: path)?.cancel() }
            defer { stored = watches }
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

    /// Applies the values that other processes have activated.
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
    func contextOverride(of source: any RemoteSource, in contexts: ContextFile.Reading) -> ContextOverride {
        guard let source = source as? any EvaluatedSource else { return ContextOverride() }
        return contexts.contexts[source.contextName] ?? source.formerContextName.flatMap { contexts.contexts[$0] }
            ?? ContextOverride()
    }

    func overridden(_ source: any RemoteSource, _ contextOverride: ContextOverride) -> any RemoteSource {
        (source as? any EvaluatedSource)?.overriding(contextOverride) ?? source
    }

    /// Why a tester's change to a context cannot be made.
    package enum ContextChangeError: Error {
        /// The source cannot be evaluated for the changed context.
        case source(SourceError)
        /// The change cannot be stored.
        case storage(StorageError)
    }

    /// Stores a tester's change to a context, and applies it. Values that are cached for the new context are in use
    /// immediately; others must be fetched.
    ///
    /// - Returns: a notice to show, although the change was stored; `nil` if there is none.
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

    /// Reads the file of context overrides again, and replaces each source whose override has changed.
    ///
    /// - Parameter isElsewhere: whether another process changed the file.
    /// - Returns: whether anything changed.
    @discardableResult
    package func reloadContexts(isElsewhere: Bool) -> Bool {
        guard let contextFile else { return false }
        open()
        // Waits while `changeContext` has written the file but has not applied the change yet.
        return changingContexts.withLock { _ in takeContexts(of: contextFile, isElsewhere: isElsewhere, nil) }
    }

    @discardableResult
    private func takeContexts(of contextFile: ContextFile, isElsewhere: Bool, _ notice: String?) -> Bool {
        // Saved first, as values that are decoded again are read from the cache.
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
            let hasChanged = !changed.isEmpty || reading.issue != state.contexts.issue
            state.contexts = reading
            var ended: [RemoteUpdate.Cause] = []
            for index in changed { ended += replaceSource(index, in: &state) }
            if !changed.isEmpty {
                state.activations += 1
                refuseDuplicates(&state.sources)
            }
            // Observers are notified of a change that this process made even if it has no effect.
            let isReported = hasChanged || !isElsewhere
            return ((isReported ? [.contextChanged(isElsewhere: isElsewhere, notice: notice)] : []) + ended, hasChanged)
        }
        updateWatches()
        return hasChanged
    }

    /// Watches the current paths; if that fails, records why.
    private func updateWatches() {
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

    /// Replaces a source with the source for the current context. A request under way is cancelled and sent again.
    ///
    /// - Returns: the ends of the fetches that waited only for this request, if the request cannot be sent again.
    private func replaceSource(_ index: Int, in state: inout State) -> [RemoteUpdate.Cause] {
        let contextOverride = contextOverride(of: configured[index], in: state.contexts)
        let source = overridden(configured[index], contextOverride)
        let isSame = source.identity == state.sources[index].identity
        if !isSame || !state.sources[index].reread(by: source, overriding: contextOverride, cache: cache) {
            state.sources[index] = opened(source, contextOverride, clock.now())
        }
        if state.subscriptions > 0 { startSubscription(index, in: &state) }
        guard let flight = state.flights.removeValue(forKey: index) else { return [] }
        flight.task.cancel()
        guard !flight.fetches.isEmpty else { return [] }
        let now = clock.now()
        if case .rateLimited(let end) = state.sources[index].schedule.decision(at: now, minimumInterval: .zero) {
            state.sources[index].note(Self.rateLimited(state.sources[index], end, now))
            return Self.ended(flight.fetches, in: &state)
        }
        startFlight(index, in: &state, replacing: flight)
        return []
    }
}
