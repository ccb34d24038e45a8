extension MenuState {
    /// Opens the filter line. The first key replaces a kept filter, as a selected text.
    mutating func openFilterLine() -> [Effect] {
        mode = .filter
        list.replacesFilter = !list.filter.characters.isEmpty
        return []
    }

    /// Toggles the selected flag while the filter line stays open.
    mutating func toggleInFilter() -> [Effect] {
        toggleSelected()
    }

    mutating func leaveFilterLine() -> [Effect] {
        mode = .list
        return []
    }

    mutating func clearFilter() -> [Effect] {
        mode = .list
        editFilter(reselecting: .sameFlag) { $0 = TextField() }
        return []
    }

    /// Moves the cursor right or, at the end, completes a condition.
    mutating func completeFilter() -> [Effect] {
        list.replacesFilter = false
        guard list.filter.cursor == list.filter.characters.count else { return edit(.moveRight) }
        if let line = FilterCompletion(self)?.completed(list.filter) { editFilter { $0 = line } }
        return []
    }

    /// The maximum number of characters of a filter: each key press searches every word in every flag.
    static let filterLimit = 200

    mutating func typeInFilter(_ text: String) {
        var fitsLimit = true
        let replaces = list.replacesFilter
        editFilter {
            if replaces { $0 = TextField() }
            fitsLimit = $0.insert(text, limit: Self.filterLimit)
        }
        if !fitsLimit { showFilterIsFull() }
    }

    mutating func showFilterIsFull() {
        show("A filter has at most \(Self.filterLimit) characters; the rest was left out.", .rejection)
    }

    /// Edits the filter line; the first key that deletes something of a kept filter deletes everything.
    mutating func editFilter(by edit: LineEdit) {
        let deletesAll = list.replacesFilter && !edit.isMove
        list.replacesFilter = false
        editFilter { if deletesAll { $0 = TextField() } else { $0.edit(edit) } }
    }

    /// Changes the filter line and rebuilds the list. By default, selects the best match.
    mutating func editFilter(reselecting: FlagList.Reselection = .first, _ change: (inout TextField) -> Void) {
        let oldText = list.filter.text
        change(&list.filter)
        list.replacesFilter = false
        guard list.filter.text != oldText else { return }
        list.dropStickyRows()
        rebuildList(reselecting)
    }
}
