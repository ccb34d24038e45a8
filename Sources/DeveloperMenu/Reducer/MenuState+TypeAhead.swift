import TerminalUI

// Type-ahead: keys that are typed while their flags are still being read or searched. For example, a user types
// `flagmenu`, and then `/mu`, Enter and Space before the first flags are listed.
extension MenuState {
    /// The readings at the start that type-ahead waits for.
    enum FirstReading: Sendable {
        case remote
        case overrides
    }

    /// Whether a key has to wait until flags are read or searched, or until a response arrives. Text for the filter
    /// line does not wait for a search.
    func waitsForFlags(_ key: KeyPress) -> Bool {
        let action = keymap.action(for: key, in: mode.part)
        if let action, action.traits.contains(.isImmediate) { return false }
        guard awaitedReadings.isEmpty else { return true }
        if isAwaitingResponse { return action?.id != .cancel }
        // A click is about the rows that are visible now.
        if case .mouse = key { return false }
        guard list.isSearching else { return false }
        guard typeAhead.isEmpty else { return true }
        if mode == .list { return action?.id != .filter && action?.id != .cancel }
        return mode == .filter && (action?.id == .moveDown || action?.id == .moveUp)
    }

    /// Whether keys wait for a response: path completions, the choices to open, or the chosen target.
    var isAwaitingResponse: Bool { isAwaitingOpen || sheet(LinePrompt.self)?.completion != nil }

    /// Handles the stored keys once nothing makes them wait. If the menu is closing, they stay for the next menu.
    mutating func releaseTypeAhead() -> [Effect] {
        guard awaitedReadings.isEmpty, !list.isSearching, !isAwaitingResponse, ending == nil, !typeAhead.isEmpty else {
            return []
        }
        let keys = typeAhead
        typeAhead = []
        return keys.flatMap { press($0) }
    }
}
