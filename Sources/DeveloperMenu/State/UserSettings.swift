public import FlagQueries
import TerminalUI

/// The user's preferences, what the user switched in this run, and the keys, styles and characters that follow.
public struct UserSettings: Sendable, Equatable {
    /// The preferences.
    public private(set) var preferences: Preferences = .standard
    /// Whether the preferences have been read.
    private(set) var areRead = false
    /// The theme that the user switched to; `nil` for the theme of the preferences.
    var chosenTheme: Preferences.ThemeChoice?
    /// Whether the user switched the mouse on or off; `nil` for the setting of the preferences.
    var chosenMouse: Bool?
    /// The terminal's background; `nil` if it is not known.
    var terminalBackground: TerminalBackground?
    /// The characters that the terminal can draw.
    private let terminalCharset: Charset
    /// The characters that the menu draws: all that the terminal can draw, or fewer if the preferences say so.
    var charset: Charset { preferences.charset == .ascii ? .ascii : terminalCharset }
    private(set) var keymap: Keymap = .standard
    var theme: Theme { theme(of: themeChoice) }

    /// The standard preferences in a terminal that draws these characters.
    init(_ charset: Charset) { terminalCharset = charset }

    /// Whether the mouse is on.
    var isMouseOn: Bool { chosenMouse ?? preferences.mouse }

    /// Applies preferences. A changed preference replaces the theme or mouse setting that the user switched to.
    mutating func apply(_ new: Preferences) {
        if new.theme != preferences.theme { chosenTheme = nil }
        if new.mouse != preferences.mouse { chosenMouse = nil }
        (preferences, areRead) = (new, true)
        keymap = new.keys.isEmpty ? .standard : Keymap.remapping(ActionTable.all, by: new.keys).keymap
    }

    /// Restores what the user switched in an earlier run.
    mutating func restore(_ session: MenuSession) {
        (chosenTheme, chosenMouse) = (session.theme, session.mouse)
    }

    private func theme(of choice: Preferences.ThemeChoice) -> Theme {
        Theme.preset(choice, isOnLight: terminalBackground == .light)
    }

    /// The theme in use, which may depend on the background.
    var themeChoice: Preferences.ThemeChoice {
        preferences.theme == .mono ? .mono : chosenTheme ?? preferences.theme
    }

    /// The next theme that looks different; `nil` if no other theme looks different.
    var nextTheme: Preferences.ThemeChoice? {
        let choices = Preferences.ThemeChoice.allCases
        let index = choices.firstIndex(of: themeChoice) ?? 0
        let candidates = choices[(index + 1)...] + choices[..<index]
        return candidates.first { theme(of: $0) != theme }
    }
}

extension Preferences.ThemeChoice {
    /// The theme's name in a sentence.
    var label: String { self == .highContrast ? "high contrast" : rawValue }
}
