import FlagModel

// Events of the remote sources. None of them moves the selection, drops the filter or disturbs an edit.
extension MenuState {
    mutating func take(_ report: RemoteReport) -> [Effect] {
        switch report {
        case .fetchStarted(let id): remote.startFetch(id)
        case .progressed(let source, let progress): remote.take(progress, of: source)
        case .sourcesChanged(let sources): remote.sources = sources
        case .liveUpdatesChanged(let source, let error): remote.liveUpdateErrors[source] = error
        case .activated(let content, let activation): take(content, activatedBy: activation)
        case .fetched(let id, let waiting, let moment, let errors):
            remote.endFetch(id)
            remote.take(waiting, at: moment, errors: errors)
            if errors.isEmpty { say(waiting.map { waitingSentence($0, "Fetched") } ?? "Fetched: nothing has changed.") }
            if mode == .list, remote.watchedFetch == id { askToActivate() }
            refreshQuestion()
        case .polled(let source, let waiting, let moment, let errors):
            let isNew = waiting != remote.waiting
            remote.endOpening()
            remote.take(waiting, at: moment, errors: errors)
            if errors.isEmpty, isNew, let waiting { say(waitingSentence(waiting, "\(source) has changed"), .elsewhere) }
            refreshQuestion()
        case .fetchFailed(let id, let errors):
            remote.endFetch(id)
            fail(errors)
        case .activationFailed(let id, let errors):
            remote.activations.remove(id)
            remote.endOpening()
            fail(errors)
        case .hasNoSource(let id):
            remote.endFetch(id)
            say("Nothing to fetch: \(subject.app) provides its remote values.")
        case .notCached(let reason): say(reason, .refusal)
        case .context(let context): take(context)
        case .indexed(let index):
            list.take(index, for: board)
            if list.isSearching { rebuildList() }
        }
        return []
    }

    private mutating func take(_ content: RemoteContent, activatedBy activation: RemoteReport.Activation) {
        defer { closeSheetsWithoutContent() }
        let before = board.snapshot
        let wasContextAwaited = remote.contextValues == .awaited
        switch activation {
        case .menu(let id):
            let isFirst = board.generation == 0
            awaitedReadings.remove(.remote)
            remote.activations.remove(id)
            remote.endOpening()
            use(content, isResponse: false)
            if !isFirst, content.errors.isEmpty { say("Activated: the fetched values are in use now.") }
        case .elsewhere:
            let isOtherContext = remote.savedEvaluations != content.evaluations
            use(content, isResponse: false)
            if isOtherContext {
                say("The context or the conditions changed elsewhere.", .elsewhere)
            } else if before.values != content.snapshot.values || before.defaults != content.snapshot.defaults {
                say("The app now uses other remote values.", .elsewhere)
            }
            return
        case .fetch(let id):
            awaitedReadings.remove(.remote)
            remote.endFetch(id)
            use(content, isResponse: true)
            if id != RemoteValuesStatus.startupFetch, !wasContextAwaited {
                say("Fetched, and in use: \(changeSentence(since: before.values).decapitalized)")
            }
        case .response:
            remote.endOpening()
            use(content, isResponse: true)
        }
        if let first = content.warnings.first {
            let more = content.warnings.count > 1 ? " (\(content.warnings.count - 1) more: flagmenu doctor)" : ""
            say("\(first)\(more)", .refusal)
        }
        if wasContextAwaited, remote.contextValues == .current { say(changeSentence(since: before.values)) }
    }

    /// Shows values that are in use now. An open sheet may be about something that is gone: see
    /// ``closeSheetsWithoutContent()``.
    mutating func use(_ content: RemoteContent, isResponse: Bool) {
        board.replaceSnapshot(content.snapshot)
        needs = ColumnNeeds(board, charset: charset)
        remote.use(content, isResponse: isResponse)
        rebuildList(list.selectedKey == nil ? .first : .sameFlag)
    }

    /// Handles errors of the sources, after which there may be nothing to show.
    private mutating func fail(_ errors: [String]) {
        awaitedReadings.remove(.remote)
        remote.errors = errors
        if remote.contextValues == .awaited {
            remote.contextValues = .missing
            sayContextHasNoValues()
        }
        if subject.needsSource, remote.fetchedAt == nil {
            ending = .withoutSource(reason: errors.joined(separator: " "))
        }
    }

    mutating func fetch() -> [Effect] {
        lastCommands = commands(for: .fetch)
        let id = makeRequestID()
        remote.watchedFetch = id
        return [.fetchRemote(id: id)]
    }

    /// Shows pending changes before activation. Titles, options and conditions are not values, so they are not listed.
    mutating func reviewWaiting() -> [Effect] {
        askToActivate()
        return mode == .list ? activate() : []
    }

    /// Opens the dialog to activate the values that wait, if there are any.
    private mutating func askToActivate() {
        guard let waiting = remote.waiting, !waiting.isEmpty else { return }
        ask(.activating(waiting, overrides: board.values.overrides), commands: commands(for: .activate))
    }

    mutating func activate() -> [Effect] {
        let id = makeRequestID()
        remote.activations.insert(id)
        lastCommands = commands(for: .activate)
        return [.activateRemote(id: id)]
    }

    /// Stops waiting for the sources. The values in use stay.
    mutating func cancelFetch() -> [Effect] {
        remote.cancelFetch()
        let again = "\(keyWord(of: .fetch)) fetches again."
        say(
            remote.fetchedAt.map { "Fetch cancelled. The values from \($0.age(at: now)) stay in use." }
                ?? "Fetch cancelled; there are no values yet. \(again)")
        return [.cancelFetch]
    }

    private func waitingSentence(_ waiting: [ValueDifference], _ event: String) -> String {
        let key = keyWord(of: .activate)
        let what =
            waiting.isEmpty
            ? "titles, options or conditions differ" : waiting.count.counted("value differs", "values differ")
        return "\(event): \(what). \(key) activates."
    }

    func changeSentence(since before: ValueTable) -> String {
        let count = before.differenceCount(from: board.values.remote)
        return count == 0 ? "No remote value changed." : "\(count.counted("remote value")) changed."
    }
}
