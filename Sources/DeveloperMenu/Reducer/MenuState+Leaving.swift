import FlagModel

// Closing the menu, after pending changes are saved.
extension MenuState {
    /// Leaves the menu. If a change would be lost, the first call only shows a warning.
    mutating func leave(_ ending: MenuEnding = .left) -> [Effect] {
        guard store.unsaved.isEmpty || isWarnedOfLoss else {
            isWarnedOfLoss = true
            return showUnsaved(store.unsaved.count)
        }
        return end(ending)
    }

    /// Closes the menu. If the menu is closing already, closes it without waiting for pending changes.
    mutating func interrupt() -> [Effect] {
        if ending != nil {
            (store.pending, store.moves, store.bisectRequests) = ([], [:], [])
            team?.pending = [:]
            (remote.activations, remote.contextChanges) = ([], [])
        }
        return end(.interrupted)
    }

    private mutating func end(_ ending: MenuEnding) -> [Effect] {
        self.ending = ending
        return isWorking ? show("Saving. Ctrl-C quits without waiting.", .rejection) : []
    }

    /// Warns that leaving would lose changes, and shows the number of these changes.
    @discardableResult
    mutating func showUnsaved(_ count: Int) -> [Effect] {
        let retry = store.unsaved.isEmpty ? "" : "\(keyWord(of: .retry)) saves again, "
        let fact = "\(count.counted("change is", "changes are")) not saved."
        return show("\(fact) \(retry)\(keyWord(of: .quit)) quits without saving.", .error)
    }
}
