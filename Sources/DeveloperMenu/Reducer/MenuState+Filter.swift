extension MenuState {
    mutating func openFilterLine() -> [Effect] {
        mode = .filter
        return []
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

    mutating func completeFilter() -> [Effect] {
        if let line = FilterCompletion(self)?.completed(list.filter) { editFilter { $0 = line } }
        return []
    }

    /// The maximum number of characters of a filter: each key press searches every word in every flag.
    static let filterLimit = 200

    mutating func typeInFilter(_ text: String) {
        var fitsLimit = true
        editFilter { fitsLimit = $0.insert(text, limit: Self.filterLimit) }
        if !fitsLimit { showFilterIsFull() }
    }

    mutating func showFilterIsFull() {
        show("A filter has at most \(Self.filterLimit) characters; the rest was left out.", .rejection)
    }

    /// Changes the filter line and rebuilds the list. By default, selects the best match.
    mutating func editFilter(reselecting: FlagList.Reselection = .first, _ change: (inout TextField) -> Void) {
        let oldText = list.filter.text
        change(&list.filter)
        guard list.filter.text != oldText else { return }
        list.dropStickyRows()
        rebuildList(reselecting)
    }
}
