import FlagModel
import FlagQueries

// Events of the override file. They never move the selection, clear the filter or disturb an edit.
extension MenuState {
    mutating func receive(_ event: StoreEvent) -> [Effect] {
        switch event {
        case .read(let table, let error):
            let (old, wasRead) = (store.table.overrides, store.isRead)
            store.endRead(table, error: error)
            awaitedReadings.remove(.overrides)
            // While a request of this menu is pending, a change in the file may be its result.
            let new = store.table.overrides
            if wasRead, !isWorking, let change = new.changeElsewhere(since: old, at: clock, undo: keyName(of: .undo)) {
                team?.lastChange = nil
                show(change, .elsewhere)
            }
        case .saved(let id, let table, let notice):
            store.endSave(id, table, notice: notice)
            if store.pending.isEmpty, store.unsaved.isEmpty { isWarnedOfLoss = false }
        case .saveFailed(let id, let reason, let canRetry): fail(id, reason, canRetry: canRetry)
        case .moved(let id, let table, let changes, let contextChanges, let notice):
            let done = store.endMove(id, table) == .redo ? "Redone" : "Undone"
            // The team's part was reverted before.
            let text =
                team?.lastChange == nil
                ? "\(done): \(store.summary(of: changes, contextChanges, on: board))"
                : "\(done) for the team, and here: \(changes.map(\.key).joined(separator: ", "))."
            let isOne = notice == nil && changes.count + contextChanges.count == 1
            show(notice ?? text, isOne ? .change : .updates)
        case .moveRefused(let id, let reason, let isAtEnd):
            store.failMove(id, isAtEnd: isAtEnd)
            show(reason, .rejection)
        case .bisected(let id, let table, let running, let notice):
            let hasEnded = store.bisect != nil && running == nil
            store.endBisect(id, table, running)
            if let notice {
                show(notice, .rejection)
            } else if hasEnded {
                show("The bisect has ended. Your changes are restored.")
            }
        case .historyRead: return []  // The history that asked for it has closed.
        case .notWatched(let reason): addWatchError(reason)
        }
        showOverrides()
        return []
    }

    /// The time, and which apps run.
    var clock: ClockReading { ClockReading(now: now, running: Set(apps.running.map(\.id))) }

    /// Shows what the running apps use, and once, that one rejects an override since the menu is open.
    mutating func receive(_ status: AppsStatus) -> [Effect] {
        let (earlier, overrides) = (apps, board.values.overrides)
        apps = status
        let known = Set(earlier.rejections(of: overrides))
        guard earlier.readAt > 0, let new = status.rejections(of: overrides).first(where: { !known.contains($0) })
        else {
            return []
        }
        return show("\(new.sentence) \(keyName(of: .undo)) undoes it.", .rejection)
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
            case .undoTo(let revision): [commands.command("undo", options: ["--to", String(revision)])]
            case .redo: commands(for: .redo)
            }
        return [.moveHistory(id: id, move)]
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
