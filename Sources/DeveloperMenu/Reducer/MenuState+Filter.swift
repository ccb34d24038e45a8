extension MenuState {
    mutating func performInFilter(_ intent: Intent) -> [Effect] {
        switch intent {
        case .accept: mode = .list
        case .cancel:
            mode = .list
            editFilter(reselecting: .sameFlag) { $0 = TextField() }
        case .complete: completeFilter()
        case .moveDown, .moveUp: return performInList(intent)
        default: editFilter { _ = $0.edit(intent) }
        }
        return []
    }

    private mutating func completeFilter() {
        guard let line = FilterCompletion(self)?.completed(list.filter) else { return }
        editFilter { $0 = line }
    }

    /// Changes the filter line. Whoever types looks for something, so the best match is selected.
    mutating func editFilter(reselecting: FlagList.Reselection = .first, _ change: (inout TextField) -> Void) {
        let before = list.filter.text
        change(&list.filter)
        guard list.filter.text != before else { return }
        list.forgetKept()
        rebuildList(reselecting)
    }
}
