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
            if wasRead, !isWorking, let change = Self.teamChange(from: old, to: overrides) { show(change, .elsewhere) }
            return []
        case .changed(let id, let changes): return finish(id, changes)
        case .changeFailed(let id, let reason):
            let change = team?.pending.removeValue(forKey: id)
            ending = nil
            if case .revert(let last) = change {
                show("Not \(last.isUndone ? "redone" : "undone"). \(reason)", .rejection)
            } else {
                show(reason, .rejection)
            }
            return []
        }
    }

    private mutating func showTeam(_ overrides: FlagTable<FlagOverride>) {
        guard overrides != board.values[.team].overrides else { return }
        board.replaceTeam(overrides)
        rebuildList()
        updateSheet()
    }

    /// Shows a change that the team has. Then the local overrides follow.
    private mutating func finish(_ id: RequestID, _ changes: [OverrideChange]) -> [Effect] {
        guard let change = team?.pending.removeValue(forKey: id) else { return [] }
        var overrides = board.values[.team].overrides
        for change in changes { overrides[change.key] = change.new }
        showTeam(overrides)
        switch change {
        case .set(let replaced, let done): return finishSetting(changes, replaced, done)
        case .revert(let last): return finishReverting(last, changes)
        }
    }

    private mutating func finishSetting(
        _ changes: [OverrideChange], _ replaced: FlagTable<FlagOverride>, _ done: String
    ) -> [Effect] {
        // An override that was changed meanwhile was not replaced, so it stays.
        let keys = replaced.sortedByKey.filter { board.values.overrides[$0.key]?.value == $0.value.value }.map(\.key)
        let message = "\(done) \(keyWord(of: .undo)) undoes it."
        if keys.isEmpty { show(message) }
        let effects = save(keys.map(OverrideEdit.clear), message: message)
        team?.lastChange = TeamStatus.LastChange(changes: changes, hasLocalPart: !keys.isEmpty)
        return effects
    }

    private mutating func finishReverting(_ last: TeamStatus.LastChange, _ changes: [OverrideChange]) -> [Effect] {
        let keys = last.changes.map(\.key).joined(separator: ", ")
        let done = "\(last.isUndone ? "Redone" : "Undone") for the team: \(keys)."
        guard team?.lastChange == last else {
            show("\(done) The overrides here stay, as others were changed meanwhile.")
            return []
        }
        show(done)
        let effects = last.hasLocalPart ? moveLocalHistory(last.isUndone ? .redo : .undo) : []
        team?.lastChange = TeamStatus.LastChange(
            changes: changes, hasLocalPart: last.hasLocalPart, isUndone: !last.isUndone)
        return effects
    }

    private static let noTeamReason = "There is no team. --team, or \"team\" in flagmenu.json, names one."

    /// Why the selected or marked overrides cannot be moved to the team; `nil` if they can.
    var moveToTeamReason: String? {
        guard team != nil else { return Self.noTeamReason }
        guard list.marks.isEmpty else {
            return hasMarked(where: board.isOverridden) ? nil : "No marked flag is overridden."
        }
        guard let flag = selected else { return selectionReason }
        return flag.override == nil ? "\(flag.name) has no override to move." : nil
    }

    /// The commands that set the selected or marked overrides for the team.
    var commandsToMoveToTeam: [ShellCommand] { flagsToMoveToTeam.compactMap { commandToSetForTeam($0) } }

    private var flagsToMoveToTeam: [FlagFacts] {
        list.marks.isEmpty ? [selected].compactMap { $0 } : facts(ofKeys: bulkTargets.keys)
    }

    private func commandToSetForTeam(_ flag: FlagFacts) -> ShellCommand? {
        flag.override.map { commandToSetForTeam(flag.key, $0.value) }
    }

    private func commandToSetForTeam(_ key: String, _ value: String) -> ShellCommand {
        command("set", options: ["--layer", "team"], operands: [key, value])
    }

    /// Opens the dialog that moves the selected or marked overrides to the team.
    mutating func confirmMoveToTeam() -> [Effect] {
        guard let team else { return [] }
        return open(
            BulkDialog(plan: .moving(flagsToMoveToTeam, toTeam: team.name), commands: commandsToMoveToTeam))
    }

    /// Why a value cannot be set for the team; `nil` if it can.
    func setForTeamReason(_ flag: FlagFacts, _ value: String) -> String? {
        guard let team else { return Self.noTeamReason }
        return flag.override == nil && flag.team?.value == value ? "\(team.name) has this value already." : nil
    }

    /// Opens the dialog that sets a flag for the team.
    mutating func confirmSetForTeam(_ flag: FlagFacts, to value: String) -> [Effect] {
        guard let team else { return [] }
        return open(
            BulkDialog(
                plan: .sharing([flag], as: value, withTeam: team.name, movesOverrides: true),
                commands: [commandToSetForTeam(flag.key, value)]))
    }

    /// Requests a confirmed change of the team. The local overrides of its flags are cleared when the team has it.
    mutating func changeTeam(_ dialog: BulkDialog) -> [Effect] {
        list.marks = FlagMarks()
        let keys = dialog.plan.lines.map(\.key)
        let count = keys.count.counted(dialog.plan.bulkAction == .move ? "override" : "flag")
        let (doing, done) =
            dialog.plan.bulkAction == .move
            ? ("Moving \(count) to the team.", "Moved \(count) to the team.")
            : ("Setting \(count) for the team.", "Set \(count) for the team.")
        show(doing)
        lastCommands = dialog.commands
        let moved = Set(keys.map { FlagText($0) })
        let replaced = board.values.overrides.filter { moved.contains(FlagText($0.key)) }
        return request(.edit(dialog.plan.edits), as: .set(replacing: replaced, done: done))
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
            show("The team has not responded to the last change yet. Nothing was done.", .rejection)
            return []
        }
        guard let last = team.lastChange, move == (last.isUndone ? .redo : .undo) else { return nil }
        return request(.revert(last.changes), as: .revert(last))
    }

    /// The changes of others as a sentence; `nil` if all values are the same.
    private static func teamChange(from old: FlagTable<FlagOverride>, to new: FlagTable<FlagOverride>) -> String? {
        let changed = new.mapValues(\.value).changedKeys(from: old.mapValues(\.value))
        guard let key = changed.first else { return nil }
        guard changed.count == 1 else { return "\(changed.count) values of the team were changed." }
        guard let override = new[key] else { return "The team's value of \(key) was reset." }
        return "\(key) was set to \(override.value.orQuotes) for the team by \(override.setBy ?? "someone")."
    }
}
