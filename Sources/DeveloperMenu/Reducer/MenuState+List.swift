import FlagModel
import FlagQueries
import TerminalUI

extension MenuState {
    /// Rebuilds the rows, after a change of the flags, the filter or the order.
    mutating func rebuildList(_ reselecting: FlagList.Reselection = .sameFlag) {
        list.rebuild(
            from: board, parts: changedParts, height: layout.listHeight, hasGaps: size.rows >= Layout.rowsWithGaps,
            reselecting: reselecting)
    }

    mutating func moveInList(_ movement: Movement) -> [Effect] {
        let height = layout.listHeight
        return select { list, row in
            switch movement {
            case .down: list.row(1, from: row)
            case .up: list.row(-1, from: row)
            case .pageDown: list.page(1, from: row, height: height)
            case .pageUp: list.page(-1, from: row, height: height)
            case .first: list.nearest(to: 0)
            case .last: list.nearest(to: list.rows.count - 1)
            }
        }
    }

    /// Selects the row that `target` returns for the list and the selected row. If `target` returns `nil`, the
    /// selection stays.
    mutating func select(_ target: (FlagList, Int) -> Int?) -> [Effect] {
        guard let row = list.selection, let target = target(list, row) else { return [] }
        list.select(target, height: layout.listHeight, board: board)
        return []
    }

    /// Leaves the menu. If a change would be lost, the first call only shows a warning.
    mutating func leave(_ ending: Ending = .left) -> [Effect] {
        guard store.unsaved.isEmpty || isWarnedOfLoss else {
            isWarnedOfLoss = true
            showUnsaved(store.unsaved.count)
            return []
        }
        self.ending = ending
        showWhileSaving()
        return []
    }

    /// Warns that leaving would lose changes, and shows the number of these changes.
    mutating func showUnsaved(_ count: Int) {
        let retry = store.unsaved.isEmpty ? "" : "\(keyWord(of: .retry)) saves again, "
        let fact = "\(count.counted("change is", "changes are")) not saved."
        show("\(fact) \(retry)\(keyWord(of: .quit)) quits without saving.", .error)
    }

    mutating func toggleChangesOnly() -> [Effect] {
        list.showsChangesOnly.toggle()
        list.dropStickyRows()
        rebuildList()
        return []
    }

    /// Folds or unfolds a group. A folded group is selected; of an unfolded one, the first flag.
    mutating func changeFolding(of group: FlagRows.Heading) -> [Effect] {
        let name = group.name(on: board)
        if list.folded.remove(name) == nil { list.folded.insert(name) }
        rebuildList()
        return select { list, _ in list.rows.firstIndex { $0.heading == group }.flatMap(list.nearest) }
    }

    mutating func showAll() -> [Effect] {
        list.filter = TextField()
        list.showsChangesOnly = false
        list.dropStickyRows()
        rebuildList()
        return []
    }

    mutating func openSelected() -> [Effect] {
        if let part = list.selectedPart { return openContext(at: part) }
        if let group = list.selectedGroup { return changeFolding(of: group) }
        guard let flag = selected else { return [] }
        // A read-only menu cannot save, so it shows the explanation instead of the editor.
        return preferences.isReadOnly ? explainSelected() : open(flag)
    }

    /// Opens the option list of a flag, or the editor of its value.
    mutating func open(_ flag: FlagFacts) -> [Effect] {
        flag.hasChoice ? open(OptionList(flag)) : open(ValueEditor(flag))
    }
}

extension FlagList {
    /// The row of the next or previous flag, with wrap-around, as n and N move between matches in other programs.
    ///
    /// - Parameter count: the number of flags to move by; negative to move up.
    func match(_ count: Int, from row: Int) -> Int? {
        guard self.row(count, from: row) == row else { return self.row(count, from: row) }
        return nearest(to: count > 0 ? 0 : rows.count - 1)
    }
}
