import TerminalUI

// Keys that were typed faster than a search could begin. Who types `/mu`, Enter and Space means the flag that is about
// to be found, not the one that is selected until then.
extension MenuState {
    /// Whether a key has to wait for the flags that it means. What is typed on the filter line does not.
    func waitsForSearch(_ key: KeyPress) -> Bool {
        guard list.isSearching else { return false }
        let intent = keymap.binding(for: key, in: mode.context)?.intent
        if let intent, Self.promptIntents.contains(intent) { return false }
        guard heldKeys.isEmpty else { return true }
        return switch mode {
        case .list: intent != .filter && intent != .cancel
        case .filter: intent == .moveDown || intent == .moveUp
        default: false
        }
    }

    /// Takes in what waited, once the flags are there.
    mutating func releaseHeldKeys() -> [Effect] {
        guard !list.isSearching, !heldKeys.isEmpty else { return [] }
        let keys = heldKeys
        heldKeys = []
        return keys.flatMap { press($0) }
    }

    /// What means no flag, and must work at any time.
    private static let promptIntents: Set<Intent> = [.interrupt, .suspend, .repaint]
}
