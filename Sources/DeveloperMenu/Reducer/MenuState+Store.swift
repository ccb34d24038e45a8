import FlagModel
import FlagQueries

// Events of the override file. They never move the selection, clear the filter or disturb an edit.
extension MenuState {
    mutating func receive(_ event: StoreEvent) -> [Effect] {
        switch event {
        case .read(let table, let error):
            let (oldOverrides, wasRead) = (store.table.overrides, store.isRead)
            store.endRead(table, error: error)
            awaitedReadings.remove(.overrides)
            // While a request of this menu is pending, a change in the file may be its result.
            if wasRead, !isWorking, let change = Self.change(from: oldOverrides, to: store.table.overrides) {
                team?.lastChange = nil
                show(change, .elsewhere)
            }
        case .saved(let id, let table, let notice):
            store.endSave(id, table, notice: notice)
            if store.pending.isEmpty, store.unsaved.isEmpty { isWarnedOfLoss = false }
        case .saveFailed(let id, let reason, let canRetry): fail(id, reason, canRetry: canRetry)
        case .moved(let id, let table, let changes, let contextChanges, let notice):
            let move = store.moves.removeValue(forKey: id) ?? .undo
            (store.table, store.knowsOfUndo) = (table, true)
            let done = move == .redo ? "Redone" : "Undone"
            // The team's part was reverted before.
            let text =
                notice
                ?? (team?.lastChange == nil
                    ? "\(done): \(summary(of: changes, contextChanges))"
                    : "\(done) for the team, and here: \(changes.map(\.key).joined(separator: ", ")).")
            show(text, notice == nil && changes.count + contextChanges.count == 1 ? .change : .updates)
        case .moveRefused(let id, let reason, let isAtEnd):
            let move = store.moves.removeValue(forKey: id) ?? .undo
            if isAtEnd, move == .undo { store.knowsOfUndo = false }
            show(reason, .rejection)
        case .historyRead, .historyNotRead: return []  // The history that asked for it has closed.
        case .notWatched(let reason): addWatchError(reason)
        }
        showOverrides()
        return []
    }

    /// Shows what the running apps use, and once, that one rejects an override since the menu is open.
    mutating func receive(_ status: AppsStatus) -> [Effect] {
        let (known, isFirst) = (Set(apps.rejections(of: board.values.overrides)), apps.readAt == 0)
        let rejections = status.rejections(of: board.values.overrides)
        if !isFirst, let rejection = rejections.first(where: { !known.contains($0) }) {
            show("\(rejection.sentence) \(keyName(of: .undo)) undoes it.", .rejection)
        }
        apps = status
        return []
    }

    /// Requests undo or redo. If the last change was one of the team, it is reverted there first.
    mutating func moveHistory(_ move: HistoryMove) -> [Effect] {
        moveTeamHistory(move) ?? moveLocalHistory(move)
    }

    /// Requests undo or redo of the overrides of this machine.
    mutating func moveLocalHistory(_ move: HistoryMove) -> [Effect] {
        team?.lastChange = nil
        let id = makeRequestID()
        store.moves[id] = move
        lastCommands =
            switch move {
            case .undo: commands(for: .undo)
            case .undoTo(let revision): [command("undo", options: ["--to", String(revision)])]
            case .redo: commands(for: .redo)
            }
        return [.moveHistory(id: id, move)]
    }

    /// The changes of another process as a sentence; `nil` if all overrides have the same values.
    private static func change(from old: FlagTable<FlagOverride>, to new: FlagTable<FlagOverride>) -> String? {
        let changed = new.mapValues(\.value).changedKeys(from: old.mapValues(\.value))
        guard let key = changed.first else { return nil }
        guard changed.count == 1 else { return "\(changed.count) overrides were changed elsewhere." }
        guard let override = new[key] else { return "The override of \(key) was reset elsewhere." }
        return "\(key) was set to \(override.value.orQuotes) elsewhere."
    }

    /// The changes of undo or redo in one sentence.
    private func summary(of changes: [OverrideChange], _ contextChanges: [ContextPartChange]) -> String {
        let count = changes.count + contextChanges.count
        guard count <= 1 else { return "\(count) \(contextChanges.isEmpty ? "overrides" : "changes") changed." }
        if let change = contextChanges.first { return "\(change.sentence)." }
        let effects = EffectiveChange.all(changes, overrides: store.table.overrides, on: board)
        return effects.first?.sentence ?? "nothing changed."
    }

    /// Handles a failed save: stores its edits for a retry if possible, and cancels leaving the menu.
    private mutating func fail(_ id: RequestID, _ reason: String, canRetry: Bool) {
        let unsavedCount = store.failSave(id, reason: reason, canRetry: canRetry)
        isWarnedOfLoss = ending != nil
        // If the user was leaving, warns of the loss. The next attempt to leave closes the menu.
        if ending != nil, unsavedCount > 0 { showUnsaved(unsavedCount) }
        if case .reopened = ending { typeAhead = [] }
        ending = nil
    }
}
