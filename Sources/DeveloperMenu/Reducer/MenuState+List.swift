import FlagModel

extension MenuState {
    /// Rebuilds the rows after a change that decides which flags are listed.
    mutating func rebuildList(_ reselecting: FlagList.Reselection = .sameFlag) {
        list.rebuild(
            from: board, height: layout.listHeight, hasGaps: !Layout.isCompact(size), reselecting: reselecting)
    }

    mutating func moveInList(_ movement: Movement) -> [Effect] {
        let height = layout.listHeight
        return select { list, row in
            switch movement {
            case .down: list.flag(1, from: row)
            case .up: list.flag(-1, from: row)
            case .pageDown: list.page(1, from: row, height: height)
            case .pageUp: list.page(-1, from: row, height: height)
            case .first: list.nearestFlag(to: 0)
            case .last: list.nearestFlag(to: list.rows.count - 1)
            }
        }
    }

    /// Selects the row that `target` finds from the selected one, if any.
    mutating func select(_ target: (FlagList, Int) -> Int?) -> [Effect] {
        guard let row = list.selection, let target = target(list, row) else { return [] }
        list.select(target, height: layout.listHeight, board: board)
        return []
    }

    /// Leaves, with a warning if a change would be lost.
    mutating func leave(_ ending: Ending = .left) -> [Effect] {
        guard store.unsaved.isEmpty || isWarnedOfLoss else {
            isWarnedOfLoss = true
            sayUnsaved(store.unsaved.count)
            return []
        }
        self.ending = ending
        sayWhileSaving()
        return []
    }

    /// Warns of what leaving would lose.
    mutating func sayUnsaved(_ count: Int) {
        let retry = store.unsaved.isEmpty ? "" : "\(keyWord(of: .retry)) saves again, "
        let fact = "\(count.counted("change is", "changes are")) not saved."
        say("\(fact) \(retry)\(keyWord(of: .quit)) leaves without.", .error)
    }

    mutating func toggleOverriddenOnly() -> [Effect] {
        list.showsOverriddenOnly.toggle()
        list.forgetKept()
        rebuildList()
        return []
    }

    mutating func showAll() -> [Effect] {
        list.filter = TextField()
        list.showsOverriddenOnly = false
        list.forgetKept()
        rebuildList()
        return []
    }

    mutating func openSelected() -> [Effect] {
        guard let flag = selected else { return [] }
        // An editor that cannot save is of no use; the explanation shows the same.
        return preferences.isReadOnly ? explainSelected() : open(flag)
    }

    /// Opens the option list of a flag, or the editor of its value.
    mutating func open(_ flag: FlagFacts) -> [Effect] {
        mode = flag.hasOptionList ? .options(OptionList(flag)) : .editor(ValueEditor(flag))
        return []
    }
}

extension FlagList {
    /// The next matching flag in a direction; matches wrap around, as with n and N in other programs.
    func match(_ count: Int, from row: Int) -> Int? {
        guard flag(count, from: row) == row else { return flag(count, from: row) }
        return nearestFlag(to: count > 0 ? 0 : rows.count - 1)
    }
}
