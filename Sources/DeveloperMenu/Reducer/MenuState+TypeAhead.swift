import TerminalUI

/// An initial reading that type-ahead waits for.
enum FirstReading: Sendable { case remote, overrides }

// Type-ahead: keys that are typed while flags are still being read. For example, a user types `flagmenu`,
// then `/mu`, Enter and Space before the first flags are listed.
extension MenuState {
    /// Whether a key must wait until flags are read, or until a response arrives.
    func waitsForFlags(_ key: KeyPress) -> Bool {
        let action = keymap.action(for: key, in: mode.part)
        if let action, action.traits.contains(.isImmediate) { return false }
        return !awaitedReadings.isEmpty || isAwaitingResponse && action?.id != .cancel
    }

    /// Whether keys wait for a response with path completions, scenarios or targets to open, or about the chosen target
    /// or the state of a search.
    var isAwaitingResponse: Bool {
        isAwaitingOpen || sheet(LinePrompt.self)?.completion != nil || sheet(ScenarioSheet.self)?.isWaiting == true
            || sheet(BisectSheet.self)?.isWaiting == true
    }

    /// Whether the menu waits for targets to open, or for a document, source or app that is being opened.
    var isAwaitingOpen: Bool {
        sheet(OpenSheet.self)?.isWaiting ?? sheet(LinePrompt.self).map { $0.purpose == .open && $0.isWaiting } ?? false
    }

    /// Handles the stored keys as soon as they need not wait. If the menu is closing, the keys are left for the next
    /// menu.
    mutating func releaseTypeAhead() -> [Effect] {
        guard awaitedReadings.isEmpty, !isAwaitingResponse, ending == nil, !typeAhead.isEmpty else {
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
