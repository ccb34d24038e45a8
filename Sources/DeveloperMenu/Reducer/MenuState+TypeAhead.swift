import TerminalUI

// Keys that were typed before the flags that they mean were there. Who types `/mu`, Enter and Space right behind
// `flagmenu` means a flag that is about to be read, and behind a filter one that is about to be found.
extension MenuState {
    /// What the first keys wait for.
    enum FirstReading: Sendable {
        case remote
        case overrides
    }

    /// Whether a key has to wait for the flags that it means. What is typed on the filter line of a search does not.
    func waitsForFlags(_ key: KeyPress) -> Bool {
        let action = keymap.action(for: key, in: mode.part)
        if let action, action.traits.contains(.isImmediate) { return false }
        guard awaitedReadings.isEmpty else { return true }
        if isAwaitingAnswer { return action?.id != .cancel }
        // A click means what is seen now.
        if case .mouse = key { return false }
        guard list.isSearching else { return false }
        guard typeAhead.isEmpty else { return true }
        if mode == .list { return action?.id != .filter && action?.id != .cancel }
        return mode == .filter && (action?.id == .moveDown || action?.id == .moveUp)
    }

    /// Whether the next key means what is not there yet: what a path may become, what can be opened, or what was chosen of it.
    var isAwaitingAnswer: Bool { isAwaitingOpen || sheet(LinePrompt.self)?.completion != nil }

    /// Takes in what waited, once what it means is there. What comes after this menu takes it in by itself.
    mutating func releaseTypeAhead() -> [Effect] {
        guard awaitedReadings.isEmpty, !list.isSearching, !isAwaitingAnswer, ending == nil, !typeAhead.isEmpty else {
            return []
        }
        let keys = typeAhead
        typeAhead = []
        return keys.flatMap { press($0) }
    }
}
