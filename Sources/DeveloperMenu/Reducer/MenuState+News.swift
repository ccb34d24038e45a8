import FlagModel

// News from disk and from the remote sources. None of it moves the selection, drops the filter or disturbs an edit.
extension MenuState {
    mutating func takeRemoteNews(_ event: Event) {
        switch event {
        case .remoteLoadStarted:
            (remote, fetch) = (.loading, FetchStanding())
        case .sourceProgressed(let source, let progress):
            fetch?.take(progress, of: source)
        case .sourcesRead(let sources):
            self.sources = sources
        case .sourceFollowed(let source, let obstacle):
            silences[source] = obstacle
        case .remoteActivated(let news):
            awaitedReadings.remove(.remote)
            awaitedActivations = max(0, awaitedActivations - 1)
            activate(news)
        case .remoteActivatedElsewhere(let news):
            activateElsewhere(news)
        case .remoteRefreshed(let news):
            awaitedReadings.remove(.remote)
            fetch = nil
            let before = board.values.remote
            activate(news, isAsked: false)
            endContextWait(since: before)
        case .remoteArrived(let news):
            let before = board.values.remote
            activate(news, isAsked: false)
            endContextWait(since: before)
        case .remoteFetched(let count, let moment, let problems):
            fetch = nil
            takeFetched(count, at: moment, problems)
            if problems.isEmpty { say(count.map(fetchedSentence) ?? "Fetched: nothing has changed.") }
        case .remoteHasNoSource:
            fetch = nil
            stand(loadedAt.map { .loaded(at: $0) } ?? .failed(keptFrom: nil))
            say("There is nothing to fetch here: \(subject.app) brings its remote values by itself.")
        case .remotePolled(let count, let moment, let problems):
            let news = count == waitingCount ? nil : count
            takeFetched(count, at: moment, problems)
            if problems.isEmpty, let news { say(fetchedSentence(news), .elsewhere) }
        case .remoteNotKept(let reason):
            say(reason, .refusal)
        case .remoteFailed(let problems):
            awaitedReadings.remove(.remote)
            // Whoever activates meanwhile fails for reasons of their own.
            if awaitedActivations == 0 { fetch = nil }
            awaitedActivations = max(0, awaitedActivations - 1)
            stand(.failed(keptFrom: loadedAt))
            self.problems.remote = problems
            endContextWait(since: nil)
            if subject.needsSource, loadedAt == nil {
                ending = .withoutSource(reason: problems.joined(separator: " "))
            }
        default: break
        }
    }

    /// What holds, unless sources are being read still.
    private mutating func stand(_ phase: RemotePhase) { remote = fetch == nil ? phase : .loading }

    /// Waits for the sources no more. What held before still holds.
    mutating func cancelFetch() -> [Effect] {
        (fetch, awaitsContextValues) = (nil, false)
        stand(
            problems.remote.isEmpty && !showsFormerContext
                ? loadedAt.map { .loaded(at: $0) } ?? .failed(keptFrom: nil) : .failed(keptFrom: loadedAt))
        let again = "\(keyWord(of: .fetch)) fetches again."
        say(
            loadedAt.map { "Fetch cancelled. The values from \($0.age(at: now)) stay in use." }
                ?? "Fetch cancelled; there are no values yet. \(again)")
        return [.cancelFetch]
    }

    private mutating func takeFetched(_ count: Int?, at moment: Timestamp, _ problems: [String]) {
        // While fetched values wait, the values in use are as old as before.
        if count == nil, problems.isEmpty { loadedAt = moment }
        stand(problems.isEmpty ? .loaded(at: loadedAt ?? moment) : .failed(keptFrom: loadedAt))
        waitingCount = count
        self.problems.remote = problems
    }

    private mutating func activate(_ news: RemoteNews, isAsked: Bool = true) {
        let isFirst = board.generation == 0
        takeOver(news)
        if !isFirst, isAsked, news.problems.isEmpty { say("Activated: the fetched values are in use now.") }
        if let first = news.remarks.first {
            let more = news.remarks.count > 1 ? " (\(news.remarks.count - 1) more: flagmenu doctor)" : ""
            say("\(first)\(more)", .refusal)
        }
        takeOverContext()
    }

    /// What this menu waits for itself is still to come.
    private mutating func activateElsewhere(_ news: RemoteNews) {
        let (old, new, isLoading) = (board.snapshot, news.snapshot, remote == .loading)
        let isOtherContext = knownEvaluations != news.evaluations
        takeOver(news)
        if isLoading { remote = .loading }
        if isOtherContext {
            say("The context or the conditions were changed elsewhere.", .elsewhere)
        } else if old.values != new.values || old.defaults != new.defaults {
            say("The app has other remote values in use now.", .elsewhere)
        }
        takeOverContext()
    }

    mutating func takeOver(_ news: RemoteNews) {
        board.replaceSnapshot(news.snapshot)
        stand(news.problems.isEmpty ? .loaded(at: news.fetchedAt) : .failed(keptFrom: news.fetchedAt))
        loadedAt = news.fetchedAt
        showsFormerContext = false
        waitingCount = news.waitingCount
        knownEvaluations = news.evaluations
        // What was decided since stays on the screen until it is answered.
        if awaitedContexts == 0 { evaluations = news.evaluations }
        problems.remote = news.problems
        rebuildList(list.selectedKey == nil ? .first : .sameFlag)
    }

    private func fetchedSentence(_ count: Int) -> String {
        let what = count > 0 ? count.counted("value differs", "values differ") : "titles, options or conditions differ"
        return "Fetched: \(what). \(keyWord(of: .activate)) activates."
    }

    mutating func takeStoreNews(_ event: Event) {
        switch event {
        case .overridesRead(let table, let problem):
            // A reading made before the newest saved edit is older than what is shown.
            let before = stored.overrides
            if table.revision >= stored.revision || pending.isEmpty { stored = table }
            // Why an edit was refused before is out of date once the file can be read, or no longer can be.
            if unsaved.isEmpty, problem != problems.store { problems.saving = nil }
            problems.store = problem
            if isStoreRead, problem == nil, stored.overrides != before { knowsOfUndo = true }
            // What this menu has asked for and not been told of yet is no news from elsewhere.
            if isStoreRead, !isWorking, let news = Self.news(from: before, to: stored.overrides) {
                say(news, .elsewhere)
            }
            isStoreRead = true
            awaitedReadings.remove(.overrides)
        case .overridesSaved(let id, let table, let notice):
            pending.removeAll { $0.id == id }
            // Another process may have written since, which was told before.
            if table.revision >= stored.revision { stored = table }
            if pending.isEmpty, unsaved.isEmpty { (problems.saving, isWarnedOfLoss) = (nil, false) }
            // Such as where a damaged file was put: to be read at leisure, so it stays until the next save.
            if let notice { problems.saving = notice }
        case .saveFailed(let id, let reason, let canRetry):
            fail(id, reason, canRetry: canRetry)
        case .historyMoved(let table, let changes, let notice):
            let move = awaitedMoves.isEmpty ? .undo : awaitedMoves.removeFirst()
            stored = table
            knowsOfUndo = true
            let text = notice ?? "\(move == .redo ? "Redone" : "Undone"): \(summary(of: changes))"
            say(text, notice == nil && changes.count == 1 ? .change : .news)
        case .historyRefused(let reason, let isAtEnd):
            let move = awaitedMoves.isEmpty ? .undo : awaitedMoves.removeFirst()
            if isAtEnd, move == .undo { knowsOfUndo = false }
            say(reason, .refusal)
        case .storeNotFollowed(let reason):
            problems.addNotFollowed(reason)
        default: break
        }
        showOverrides()
    }

    /// What somebody else changed in the store, as a sentence; `nil` when both hold the same overrides.
    private static func news(from old: [String: Override], to new: [String: Override]) -> String? {
        let changed = Set(old.keys).union(new.keys).filter { old[$0]?.value != new[$0]?.value }
        guard let key = changed.first else { return nil }
        guard changed.count == 1 else { return "\(changed.count) overrides were changed elsewhere." }
        guard let override = new[key] else { return "The override of \(key) was cleared elsewhere." }
        return "\(key) was set to \(override.value.orQuotes) elsewhere."
    }

    /// What undo or redo brought back, as the command line tells it.
    private func summary(of changes: [OverrideChange]) -> String {
        guard changes.count <= 1 else { return "\(changes.count) overrides are as they were." }
        let effects = EffectiveChange.all(changes, overrides: stored.overrides, on: board)
        return effects.first?.sentence ?? "nothing changed."
    }

    private mutating func fail(_ id: Int, _ reason: String, canRetry: Bool) {
        let failed = pending.filter { $0.id == id }.flatMap(\.edits)
        pending.removeAll { $0.id == id }
        // What a newer edit on its way replaces must not be offered again.
        let newer = pending.flatMap(\.edits)
        if canRetry { unsaved += failed.filter { edit in !newer.contains { $0.supersedes(edit) } } }
        problems.saving = reason
        isWarnedOfLoss = ending != nil
        // Whoever wanted to leave is told why not, in the place of what was said while it was waited for; asking again
        // leaves.
        let lost = canRetry ? unsaved.count : failed.count
        if ending != nil, lost > 0 { sayUnsaved(lost) }
        ending = nil
    }
}
