import FlagModel

// The overrides that a team shares. Like all updates, they never move the selection or disturb an edit.
extension MenuState {
    mutating func take(_ event: TeamEvent) -> [Effect] {
        switch event {
        case .read(let overrides, let moment, let error):
            let (old, wasRead) = (board.values[.team].overrides, team?.isRead == true)
            team?.takeRead(at: moment, error: error)
            showTeam(overrides)
            if wasRead, !isWorking, let change = Self.teamChange(from: old, to: overrides) { show(change, .elsewhere) }
            return []
        case .changed(let id, let changes): return finish(id, changes)
        case .changeFailed(let id, let reason):
            let change = team?.pending.removeValue(forKey: id)
            ending = nil
            show(change == .undo ? "Not undone. \(reason)" : reason, .rejection)
            return []
        }
    }

    private mutating func showTeam(_ overrides: [String: Override]) {
        guard overrides != board.values[.team].overrides else { return }
        board.replaceTeam(overrides)
        needs = ColumnNeeds(board, charset: charset)
        rebuildList()
        refreshDialog()
    }

    /// Shows a change that the team has, and then clears or restores the local overrides.
    private mutating func finish(_ id: RequestID, _ changes: [OverrideChange]) -> [Effect] {
        guard let change = team?.pending.removeValue(forKey: id) else { return [] }
        var overrides = board.values[.team].overrides
        for change in changes { overrides[change.key] = change.new }
        showTeam(overrides)
        switch change {
        case .undo: return moveHistory(.undo)
        case .move(let edits):
            // An override that was changed meanwhile was not moved, so it stays.
            let clears = edits.compactMap { edit -> OverrideEdit? in
                guard case .set(let key, let value) = edit, board.values.overrides[key]?.value == value else {
                    return nil
                }
                return .clear(key: key)
            }
            let count = edits.count.counted("override")
            let effects = save(clears, message: "Moved \(count) to the team. \(keyWord(of: .undo)) undoes it.")
            team?.lastMove = changes
            return effects
        }
    }

    /// Why the selected or marked overrides cannot be moved to the team; `nil` if they can.
    var moveToTeamReason: String? {
        guard team != nil else {
            return "There is no team. --team, or \"team\" in flagmenu.json, names one."
        }
        guard list.marks.isEmpty else {
            return hasMarked(where: board.isOverridden) ? nil : "No marked flag is overridden."
        }
        guard let flag = selected else { return selectionReason }
        return flag.override == nil ? "\(flag.name) has no override to move." : nil
    }

    /// The commands that set the selected override for the team.
    var commandsToMoveToTeam: [ShellCommand] {
        guard let flag = selected, let value = flag.override?.value else { return [] }
        return [command("set", options: ["--layer", "team"], operands: [flag.key, value])]
    }

    /// Opens the dialog that moves the selected or marked overrides to the team.
    mutating func confirmMoveToTeam() -> [Effect] {
        guard let team else { return [] }
        let flags = list.marks.isEmpty ? [selected].compactMap { $0 } : facts(ofKeys: bulkTargets.keys)
        openDialog(.moving(flags, toTeam: team.name), commands: commandsToMoveToTeam)
        return []
    }

    /// Requests the change of the team; the local overrides are cleared when it is acknowledged.
    mutating func moveToTeam(_ edits: [OverrideEdit]) -> [Effect] {
        list.marks = FlagMarks()
        show("Moving \(edits.count.counted("override")) to the team.")
        return changeTeam(.move(edits), edits)
    }

    private mutating func changeTeam(_ change: TeamStatus.Change, _ edits: [OverrideEdit]) -> [Effect] {
        let id = makeRequestID()
        team?.pending[id] = change
        return [.changeTeam(id: id, edits: edits)]
    }

    /// Reverts the last move in the team, if nothing else was changed since; `nil` if there is no such move.
    mutating func undoMoveToTeam() -> [Effect]? {
        guard let changes = team?.lastMove, !changes.isEmpty else { return nil }
        team?.lastMove = []
        // A value that others have set since is theirs.
        let own = changes.filter { board.values[.team].overrides[$0.key] == $0.new }
        guard !own.isEmpty else { return nil }
        let edits = own.map { change in
            change.old.map { OverrideEdit.set(key: change.key, value: $0.value) } ?? .clear(key: change.key)
        }
        return changeTeam(.undo, edits)
    }

    /// The changes of others as a sentence; `nil` if all values are the same.
    private static func teamChange(from old: [String: Override], to new: [String: Override]) -> String? {
        let changed = Set(old.keys).union(new.keys).filter { old[$0]?.value != new[$0]?.value }
        guard let key = changed.first else { return nil }
        guard changed.count == 1 else { return "\(changed.count) values of the team were changed." }
        guard let override = new[key] else { return "The team's value of \(key) was cleared." }
        return "\(key) was set to \(override.value.orQuotes) for the team by \(override.setBy ?? "someone")."
    }
}
