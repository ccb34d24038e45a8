import TerminalUI

// Type-ahead: keys that are typed while flags are still being read or searched. For example, a user types `flagmenu`,
// then `/mu`, Enter and Space before the first flags are listed.
extension MenuState {
    /// The initial readings that type-ahead waits for.
    enum FirstReading: Sendable {
        case remote
        case overrides
    }

    /// Whether a key must wait until flags are read or searched, or until a response arrives. Text typed into the
    /// filter line does not wait for a search.
    func waitsForFlags(_ key: KeyPress) -> Bool {
        let action = keymap.action(for: key, in: mode.part)
        if let action, action.traits.contains(.isImmediate) { return false }
        guard awaitedReadings.isEmpty else { return true }
        if isAwaitingResponse { return action?.id != .cancel }
        // A click refers to the rows that are visible now, so it does not wait.
        if case .mouse = key { return false }
        guard list.isSearching else { return false }
        guard typeAhead.isEmpty else { return true }
        if mode == .list { return action?.id != .filter && action?.id != .cancel }
        return mode == .filter && (action?.id == .moveDown || action?.id == .moveUp)
    }

    /// Whether keys wait for a response with path completions, with targets to open, or about the chosen target.
    var isAwaitingResponse: Bool { isAwaitingOpen || sheet(LinePrompt.self)?.completion != nil }

    /// Whether the menu waits for targets to open, or for a document, source or app that is being opened.
    var isAwaitingOpen: Bool {
        sheet(OpenSheet.self)?.isWaiting ?? sheet(LinePrompt.self).map { $0.purpose == .open && $0.isWaiting } ?? false
    }

    /// Handles the stored keys as soon as they need not wait. If the menu is closing, the keys are left for the next
    /// menu.
    mutating func releaseTypeAhead() -> [Effect] {
        guard awaitedReadings.isEmpty, !list.isSearching, !isAwaitingResponse, ending == nil, !typeAhead.isEmpty else {
            return []
        }
        let keys = typeAhead
        typeAhead = []
        return keys.flatMap { key in
            defer { layOut() }
            return press(key)
        }
    }
}
