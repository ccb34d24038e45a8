import FlagModel

extension MenuState {
    /// Makes the rows anew after anything that decides which flags are listed.
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

    /// Selects the row that something leads to from the selected one, if it leads anywhere.
    mutating func select(_ target: (FlagList, Int) -> Int?) -> [Effect] {
        guard let row = list.selection, let target = target(list, row) else { return [] }
        list.select(target, height: layout.listHeight, board: board)
        return []
    }

    /// Leaving never loses a change that nobody was told of.
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

    /// Tells what leaving would lose.
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
        // An editor that cannot save is a trap; what there is to see, the explanation shows.
        return preferences.isReadOnly ? explainSelected() : open(flag)
    }

    /// Opens the option list of a flag, or the editor of its value.
    mutating func open(_ flag: FlagFacts) -> [Effect] {
        mode = flag.hasOptionList ? .options(OptionList(flag)) : .editor(ValueEditor(flag))
        return []
    }
}

extension FlagList {
    /// The next flag in a direction; matches form a ring, as in every program with n and N.
    func match(_ count: Int, from row: Int) -> Int? {
        guard flag(count, from: row) == row else { return flag(count, from: row) }
        return nearestFlag(to: count > 0 ? 0 : rows.count - 1)
    }
}
