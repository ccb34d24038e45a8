import TerminalUI

extension MenuState {
    /// Applies the user's preferences.
    mutating func takePreferences(_ preferences: Preferences, errors: [String]) -> [Effect] {
        let before = self.preferences
        let wasMouseOn = isMouseOn
        self.preferences = preferences
        keymap = preferences.keys.isEmpty ? .standard : Keymap.remapping(ActionTable.all, by: preferences.keys).keymap
        let oldCharset = charset
        charset = preferences.charset == .ascii ? .ascii : terminalCharset
        if charset != oldCharset { needs = ColumnNeeds(board, charset: charset) }
        // A change in the file wins over an earlier switch.
        if before.theme != preferences.theme { chosenTheme = nil }
        if before.mouse != preferences.mouse { chosenMouse = nil }
        if before.order != preferences.order { list.order = preferences.order }
        showTheme()
        rebuildList()
        tell(errors)
        arePreferencesKnown = true
        return (isMouseOn == wasMouseOn ? [] : [.setMouse(isMouseOn)]) + refreshPreferencesReport()
    }

    private mutating func tell(_ errors: [String]) {
        if let first = errors.first {
            let more = errors.count > 1 ? " (\(errors.count - 1) more: flagmenu config)" : ""
            say("\(first)\(more)", .refusal)
        } else if arePreferencesKnown {
            say("The configuration was reloaded.")
        }
    }

    /// Applies the theme that was switched to, that is preferred, or that fits the terminal's background.
    mutating func showTheme() {
        theme = Theme.preset(themeChoice, isOnLight: terminalBackground == .light)
        theme.fillsSelection = preferences.selection == .fill || themeChoice == .highContrast
    }

    private var themeChoice: Preferences.ThemeChoice {
        preferences.theme == .mono ? .mono : chosenTheme ?? preferences.theme
    }

    /// Whether the mouse is on.
    var isMouseOn: Bool { chosenMouse ?? preferences.mouse }

    /// Switches to the next theme that looks different, as a key without a visible effect seems broken.
    mutating func changeTheme() -> [Effect] {
        // Without colours none of the other themes can be drawn.
        guard preferences.theme != .mono else {
            say("Colours are off: flagmenu config shows why.", .refusal)
            return []
        }
        chosenTheme = nextTheme
        showTheme()
        // Names the next theme too, so that it is clear that there are more.
        let more = nextTheme.map { " \(keyWord(of: .changeTheme)) again: \($0.words)." } ?? ""
        say("Theme: \(themeChoice.words), saved for the next start.\(more)")
        return []
    }

    /// The next theme that looks different.
    private var nextTheme: Preferences.ThemeChoice? {
        let choices = Preferences.ThemeChoice.allCases
        let index = choices.firstIndex(of: themeChoice) ?? 0
        let isOnLight = terminalBackground == .light
        let now = Theme.preset(themeChoice, isOnLight: isOnLight)
        let following = choices[(index + 1)...] + choices[..<index]
        return following.first { Theme.preset($0, isOnLight: isOnLight) != now }
    }

    /// Switches the mouse on or off, and shows what that changes.
    mutating func switchMouse() -> [Effect] {
        chosenMouse = !isMouseOn
        say(
            isMouseOn
                ? "Mouse on. Hold Shift to select text as usual." : "Mouse off. The terminal selects text by itself.")
        return [.setMouse(isMouseOn)]
    }

    mutating func refuseMouse() {
        chosenMouse = false
        say("This terminal does not support a mouse.", .refusal)
    }
}

extension Preferences.ThemeChoice {
    /// The theme's name in a sentence.
    fileprivate var words: String { self == .highContrast ? "high contrast" : rawValue }
}
