import FlagModel
import FlagQueries

// The overrides that a team shares. Like all updates, they never move the selection or disturb an edit.
extension MenuState {
    mutating func receive(_ event: TeamEvent) -> [Effect] {
        switch event {
        case .read(let overrides, let moment, let error):
            let (old, wasRead) = (board.values[.team].overrides, team?.isRead == true)
            team?.endRead(at: moment, error: error)
            showTeam(overrides)
            guard wasRead, !isWorking, let change = overrides.changeElsewhere(since: old, at: clock, undo: nil) else {
                return []
            }
            return show(change, .elsewhere)
        case .changed(let id, let changes): return finish(id, changes)
        case .changeFailed(let id, let reason):
            ending = nil
            return show(team?.failChange(id, reason: reason) ?? reason, .rejection)
        }
    }

    private mutating func showTeam(_ overrides: FlagTable<FlagOverride>) {
        if list.show(team: overrides) { updateSheet() }
    }

    /// Shows a change that the team has. Then the local overrides follow.
    private mutating func finish(_ id: RequestID, _ changes: [OverrideChange]) -> [Effect] {
        guard let change = team?.pending.removeValue(forKey: id) else { return [] }
        var overrides = board.values[.team].overrides
        for change in changes { overrides[change.key] = change.new }
        showTeam(overrides)
        switch change {
        case .set(let replaced, let done):
            // An override that was changed meanwhile was not replaced, so it stays.
            let current = board.values.overrides
            let keys = replaced.sortedByKey.filter { current[$0.key]?.value == $0.value.value }.map(\.key)
            let message = "\(done) \(keyWord(of: .undo)) undoes it."
            if keys.isEmpty { show(message) }
            let effects = save(keys.map(OverrideEdit.clear), message: message)
            team?.lastChange = TeamStatus.LastChange(changes: changes, hasLocalPart: !keys.isEmpty)
            return effects
        case .revert(let last): return finishReverting(last, changes)
        }
    }

    private mutating func finishReverting(_ last: TeamStatus.LastChange, _ changes: [OverrideChange]) -> [Effect] {
        let keys = last.changes.map(\.key).joined(separator: ", ")
        let done = "\(last.isUndone ? "Redone" : "Undone") for the team: \(keys)."
        guard team?.lastChange == last else {
            return show("\(done) The overrides here stay, as others were changed meanwhile.")
        }
        show(done)
        let effects = last.hasLocalPart ? moveLocalHistory(last.isUndone ? .redo : .undo) : []
        team?.lastChange = TeamStatus.LastChange(
            changes: changes, hasLocalPart: last.hasLocalPart, isUndone: !last.isUndone)
        return effects
    }

    /// Opens the dialog that moves the marked or selected overrides to the team.
    mutating func confirmMoveToTeam() -> [Effect] {
        guard let team else { return [] }
        return confirm(.moving(list.targets, toTeam: team.name), commands.moveToTeam)
    }

    /// Opens the dialog that sets a flag for the team.
    mutating func confirmSetForTeam(_ flag: FlagFacts, to value: String) -> [Effect] {
        guard let team else { return [] }
        let plan = BulkPlan.sharing([flag], as: value, withTeam: team.name, movesOverrides: true)
        return confirm(plan, [commands.setForTeam(flag.key, to: value)])
    }

    /// Requests a confirmed change of the team. The local overrides of its flags are cleared when the team has it.
    mutating func changeTeam(_ dialog: BulkDialog) -> [Effect] {
        list.marks = FlagMarks()
        let keys = dialog.plan.lines.map(\.key)
        let isMove = dialog.plan.bulkAction == .move
        let words = keys.count.counted(isMove ? "override" : "flag") + (isMove ? " to the team." : " for the team.")
        show("\(isMove ? "Moving" : "Setting") \(words)")
        lastCommands = dialog.commands
        let moved = Set(keys.map { FlagText($0) })
        let replaced = board.values.overrides.filter { moved.contains(FlagText($0.key)) }
        return request(
            .edit(dialog.plan.edits), as: .set(replacing: replaced, done: "\(isMove ? "Moved" : "Set") \(words)"))
    }

    private mutating func request(_ request: TeamRequest, as change: TeamStatus.Change) -> [Effect] {
        let id = makeRequestID()
        team?.pending[id] = change
        return [.changeTeam(id: id, request)]
    }

    /// Undoes the last change of the team, or redoes it, if nothing else was changed since.
    ///
    /// - Returns: the request; empty while the team has not responded; `nil` if the team is not concerned.
    mutating func moveTeamHistory(_ move: HistoryMove) -> [Effect]? {
        guard let team else { return nil }
        guard team.pending.isEmpty else {
            return show("The team has not responded to the last change yet. Nothing was done.", .rejection)
        }
        guard let last = team.lastChange, move == (last.isUndone ? .redo : .undo) else { return nil }
        return request(.revert(last.changes), as: .revert(last))
    }
}
