import TerminalUI

// Type-ahead: keys typed before their flags are there. `/mu`, Enter and Space right after `flagmenu` mean a flag that
// is still being read, and after a filter one that is still being searched.
extension MenuState {
    /// What the first keys wait for.
    enum FirstReading: Sendable {
        case remote
        case overrides
    }

    /// Whether a key has to wait for its flags. Typing on the filter line of a search does not.
    func waitsForFlags(_ key: KeyPress) -> Bool {
        let action = keymap.action(for: key, in: mode.part)
        if let action, action.traits.contains(.isImmediate) { return false }
        guard awaitedReadings.isEmpty else { return true }
        if isAwaitingAnswer { return action?.id != .cancel }
        // A click is for what is visible now.
        if case .mouse = key { return false }
        guard list.isSearching else { return false }
        guard typeAhead.isEmpty else { return true }
        if mode == .list { return action?.id != .filter && action?.id != .cancel }
        return mode == .filter && (action?.id == .moveDown || action?.id == .moveUp)
    }

    /// Whether the next key is for a response that is pending: path completions, choices to open, or the chosen one.
    var isAwaitingAnswer: Bool { isAwaitingOpen || sheet(LinePrompt.self)?.completion != nil }

    /// Handles the type-ahead once its flags are there. The next menu handles its own.
    mutating func releaseTypeAhead() -> [Effect] {
        guard awaitedReadings.isEmpty, !list.isSearching, !isAwaitingAnswer, ending == nil, !typeAhead.isEmpty else {
            return []
        }
        let keys = typeAhead
        typeAhead = []
        return keys.flatMap { press($0) }
    }
}
