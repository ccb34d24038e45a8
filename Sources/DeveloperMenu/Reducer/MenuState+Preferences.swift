import FlagQueries
import TerminalUI

extension MenuState {
    /// Applies the user's preferences.
    mutating func apply(_ preferences: Preferences, errors: [String]) -> [Effect] {
        let old = self.preferences
        let wasMouseOn = isMouseOn
        self.preferences = preferences
        keymap = preferences.keys.isEmpty ? .standard : Keymap.remapping(ActionTable.all, by: preferences.keys).keymap
        let oldCharset = charset
        charset = preferences.charset == .ascii ? .ascii : terminalCharset
        if charset != oldCharset { measureColumns() }
        // A changed preference overrides the theme or mouse setting that the user switched to earlier in this run.
        if old.theme != preferences.theme { chosenTheme = nil }
        if old.mouse != preferences.mouse { chosenMouse = nil }
        if old.order != preferences.order { list.chosenOrder = preferences.order }
        showTheme()
        rebuildList()
        showErrors(errors)
        arePreferencesKnown = true
        return isMouseOn == wasMouseOn ? [] : [.setMouse(isMouseOn)]
    }

    private mutating func showErrors(_ errors: [String]) {
        if let first = errors.first {
            let more = errors.count > 1 ? " (\(errors.count - 1) more: flagmenu status --files)" : ""
            show("\(first)\(more)", .rejection)
        } else if arePreferencesKnown {
            show("The configuration was reloaded.")
        }
    }

    /// Applies the theme that the user switched to, otherwise the preferred theme.
    mutating func showTheme() {
        theme = Theme.preset(themeChoice, isOnLight: terminalBackground == .light)
    }

    private var themeChoice: Preferences.ThemeChoice {
        preferences.theme == .mono ? .mono : chosenTheme ?? preferences.theme
    }

    /// Whether the mouse is on.
    var isMouseOn: Bool { chosenMouse ?? preferences.mouse }

    /// Switches to the next theme that looks different.
    mutating func changeTheme() -> [Effect] {
        // Without colours, none of the other themes can be drawn.
        guard preferences.theme != .mono else {
            show("Colours are off: flagmenu status --files shows why.", .rejection)
            return []
        }
        chosenTheme = nextTheme
        showTheme()
        // The message also names the next theme, so that the user sees that there are more.
        let more = nextTheme.map { " \(keyWord(of: .changeTheme)) again: \($0.label)." } ?? ""
        show("Theme: \(themeChoice.label), saved for the next start.\(more)")
        return []
    }

    /// The next theme that looks different; `nil` if no other theme looks different.
    private var nextTheme: Preferences.ThemeChoice? {
        let choices = Preferences.ThemeChoice.allCases
        let index = choices.firstIndex(of: themeChoice) ?? 0
        let isOnLight = terminalBackground == .light
        let current = Theme.preset(themeChoice, isOnLight: isOnLight)
        let candidates = choices[(index + 1)...] + choices[..<index]
        return candidates.first { Theme.preset($0, isOnLight: isOnLight) != current }
    }

    /// Switches the mouse on or off, and shows a message about the effect.
    mutating func switchMouse() -> [Effect] {
        chosenMouse = !isMouseOn
        show(
            isMouseOn
                ? "Mouse on. Hold Shift to select text as usual." : "Mouse off. The terminal selects text by itself.")
        return [.setMouse(isMouseOn)]
    }

    mutating func refuseMouse() {
        chosenMouse = false
        show("This terminal does not support a mouse.", .rejection)
    }
}

extension Preferences.ThemeChoice {
    /// The theme's name in a sentence.
    fileprivate var label: String { self == .highContrast ? "high contrast" : rawValue }
}
