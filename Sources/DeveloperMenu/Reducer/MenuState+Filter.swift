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

    /// Longer filters are useless; every word is searched in every flag at each key.
    static let filterLimit = 200

    mutating func typeInFilter(_ text: String) {
        var isWhole = true
        editFilter { isWhole = $0.insert(text, limit: Self.filterLimit) }
        if !isWhole { sayFilterIsFull() }
    }

    mutating func sayFilterIsFull() {
        say("A filter has at most \(Self.filterLimit) characters; the rest was left out.", .refusal)
    }

    /// Changes the filter line and selects the best match.
    mutating func editFilter(reselecting: FlagList.Reselection = .first, _ change: (inout TextField) -> Void) {
        let before = list.filter.text
        change(&list.filter)
        guard list.filter.text != before else { return }
        list.forgetKept()
        rebuildList(reselecting)
    }
}
