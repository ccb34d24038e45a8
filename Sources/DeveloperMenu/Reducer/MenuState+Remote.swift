import FlagModel
import FlagQueries

// Events of the remote sources. They never move the selection, clear the filter or disturb an edit.
extension MenuState {
    mutating func receive(_ report: RemoteReport) -> [Effect] {
        switch report {
        case .fetchStarted(let id): remote.startFetch(id)
        case .progressed(let source, let progress): remote.receive(progress, of: source)
        case .sourcesChanged(let sources): remote.sources = sources
        case .liveUpdatesChanged(let source, let error): remote.liveUpdateErrors[source] = error
        case .activated(let content, let activation): receive(content, activatedBy: activation)
        case .fetched(let id, let waiting, let moment, let errors):
            remote.endFetch(id)
            remote.receive(waiting, at: moment, errors: errors)
            if errors.isEmpty {
                show(waiting.map { waitingSentence($0, "Fetched") } ?? "Fetched: nothing has changed.")
            }
            if mode == .list, remote.watchedFetch == id { confirmActivate() }
            updateSheet()
        case .polled(let source, let waiting, let moment, let errors):
            let isNew = waiting != remote.waiting
            remote.endOpening()
            remote.receive(waiting, at: moment, errors: errors)
            if errors.isEmpty, isNew, let waiting {
                show(waitingSentence(waiting, "\(source) has changed"), .elsewhere)
            }
            updateSheet()
        case .fetchFailed(let id, let errors, let defaults):
            remote.endFetch(id)
            remote.activations.remove(id)
            if remote.fetchedAt == nil, let defaults { show(defaults.snapshot) }
            updateSheet()
            fail(errors)
        case .fetchCancelled(let id): remote.endFetch(id)
        case .hasNoSource(let id):
            remote.endFetch(id)
            show("Nothing to fetch: \(target.app) provides its remote values.")
        case .notCached(let reason): show(reason, .rejection)
        case .context(let context): receive(context)
        case .indexed(let index):
            list.receive(index)
        }
        return []
    }

    private mutating func receive(_ content: RemoteContent, activatedBy activation: RemoteReport.Activation) {
        defer { updateSheet() }
        let (old, isFirst) = (board.snapshot, remote.fetchedAt == nil)
        let wasContextAwaited = remote.contextValues == .awaited
        let hasOtherContext = remote.savedEvaluations != content.evaluations
        use(content, isResponse: activation.isResponse)
        switch activation {
        case .menu(let id):
            awaitedReadings.remove(.remote)
            remote.activations.remove(id)
            remote.endOpening()
            if !isFirst, content.errors.isEmpty { show("Activated: the fetched values are in use now.") }
        case .elsewhere:
            if !hasOtherContext { return showEdit("Activated elsewhere", since: old) }
            // Undo and reset of this menu report themselves.
            if !isWorking { show("The context or the conditions changed elsewhere.", .elsewhere) }
            return
        case .code: return
        case .fetch(let id):
            awaitedReadings.remove(.remote)
            remote.endFetch(id)
            if id != RemoteValuesStatus.startupFetch, !wasContextAwaited {
                show("Fetched and activated: \(changeSentence(since: old.values).decapitalized)")
            }
        case .response: remote.endOpening()
        case .edit(let source):
            remote.endOpening()
            showEdit(source, since: old)
        }
        if let warning = content.warnings.first(withOthersIn: "doctor") { show(warning, .rejection) }
        if wasContextAwaited, remote.contextValues == .current { show(changeSentence(since: old.values)) }
    }

    /// Shows values that are in use now. The caller must call ``updateSheet()`` to close the sheets of flags that
    /// no longer exist.
    ///
    /// - Parameter isResponse: whether sources have responded; only then do the values count as those of a changed
    ///   context.
    mutating func use(_ content: RemoteContent, isResponse: Bool) {
        remote.use(content, isResponse: isResponse)
        show(content.snapshot)
    }

    /// Lists what can be listed without a response of a source: overrides can be changed while a source is slow.
    mutating func endFirstWait() {
        awaitedReadings = []
        if board.generation == 0 { show(board.snapshot) }
    }

    /// Shows the flags of a snapshot.
    private mutating func show(_ snapshot: RemoteSnapshot) {
        list.show(snapshot)
        needs = ColumnNeeds(board, charset: charset)
    }

    /// Shows errors of the sources.
    private mutating func fail(_ errors: [String]) {
        awaitedReadings.remove(.remote)
        remote.errors = errors
        if remote.contextValues == .awaited {
            remote.contextValues = .missing
            showContextHasNoValues()
        }
    }

    mutating func fetch() -> [Effect] {
        lastCommands = commands(for: .fetch)
        let id = makeRequestID()
        remote.watchedFetch = id
        return [.fetchRemote(id: id)]
    }

    /// Opens the dialog to activate fetched values; activates immediately if only titles, options or conditions differ.
    mutating func reviewWaiting() -> [Effect] {
        confirmActivate()
        return mode == .list ? activate() : []
    }

    /// Opens the dialog to activate fetched values, if any values wait for activation.
    private mutating func confirmActivate() {
        guard let waiting = remote.waiting, !waiting.isEmpty else { return }
        _ = confirm(.activating(waiting, overrides: board.values.overrides), commands(for: .activate))
    }

    mutating func activate() -> [Effect] {
        let id = makeRequestID()
        remote.activations.insert(id)
        lastCommands = commands(for: .activate)
        return [.activateRemote(id: id)]
    }

    /// Cancels the fetch. The values in use do not change.
    mutating func cancelFetch() -> [Effect] {
        remote.cancelFetch()
        let remedy = "\(keyWord(of: .fetch)) fetches again."
        show(
            remote.fetchedAt.map { "Fetch cancelled. The values from \($0.age(at: now)) stay in use." }
                ?? "Fetch cancelled; there are no values yet. \(remedy)")
        return [.cancelFetch]
    }

    /// Says that other values are in use, with as many of them as a person may want to read.
    private mutating func showEdit(_ source: String, since old: RemoteSnapshot) {
        let differences = ValueDifference.between(old.values, board.snapshot.values)
        guard !differences.isEmpty else {
            if old.defaults != board.snapshot.defaults { show("The app now uses other defaults.", .elsewhere) }
            return
        }
        let shown = differences.prefix(20).map { "\($0.key) \($0.old ?? "not set") → \($0.new ?? "not set")" }
        let rest = differences.count > shown.count ? ["and \(differences.count - shown.count) more"] : []
        let list = (shown + rest).joined(separator: ", ")
        show("\(source): \(differences.count.counted("value")) changed: \(list).", .elsewhere)
    }

    /// The message that values wait for activation after an event such as `Fetched`.
    private func waitingSentence(_ waiting: [ValueDifference], _ event: String) -> String {
        let key = keyWord(of: .activate)
        let differences =
            waiting.isEmpty
            ? "titles, options or conditions differ" : waiting.count.counted("value differs", "values differ")
        return "\(event): \(differences). \(key) activates."
    }

    /// A sentence with the number of remote values that differ from the previous values.
    func changeSentence(since old: ValueTable) -> String {
        let count = ValueDifference.between(old, board.values.remote).count
        return count == 0 ? "No remote value changed." : "\(count.counted("remote value")) changed."
    }
}

extension RemoteReport.Activation {
    /// Whether sources have responded, and not only their known values are used.
    fileprivate var isResponse: Bool {
        switch self {
        case .fetch, .response, .edit: true
        case .menu, .elsewhere, .code: false
        }
    }
}
