import FlagQueries
import TerminalUI

// The user's settings, and the session that restores them.
extension MenuState {
    mutating func receive(_ event: SettingsEvent) -> [Effect] {
        switch event {
        case .preferencesRead(let preferences, let errors): return apply(preferences, errors: errors)
        case .preferencesNotWatched(let reason): addWatchError(reason)
        case .sessionRestored(let session):
            list.restore(session)
            return changeSettings { $0.restore(session) }
        case .sessionNotRead(let reason): show(reason, .rejection)
        case .openOffered: return openOther()
        }
        return []
    }

    /// Changes the settings, and switches the mouse if they do.
    mutating func changeSettings(_ change: (inout UserSettings) -> Void) -> [Effect] {
        let wasMouseOn = settings.isMouseOn
        change(&settings)
        return settings.isMouseOn == wasMouseOn ? [] : [.setMouse(settings.isMouseOn)]
    }

    private mutating func apply(_ preferences: Preferences, errors: [String]) -> [Effect] {
        let (old, wereRead) = (settings, settings.areRead)
        let effects = changeSettings { $0.apply(preferences) }
        if charset != old.charset { needs = ColumnNeeds(board, charset: charset) }
        if old.preferences.order != preferences.order { list.chosenOrder = preferences.order }
        list.rebuild()
        if let error = errors.first(withOthersIn: "status --files") {
            show(error, .rejection)
        } else if wereRead {
            show("The configuration was reloaded.")
        }
        return effects
    }

    mutating func changeTheme() -> [Effect] {
        // Without colours, none of the other themes can be drawn.
        guard preferences.theme != .mono else {
            return show("Colours are off: flagmenu status --files shows why.", .rejection)
        }
        settings.chosenTheme = settings.nextTheme
        // The theme after this one is named, so that the user sees that there are more.
        let more = settings.nextTheme.map { " \(keyWord(of: .changeTheme)) again: \($0.label)." } ?? ""
        return show("Theme: \(settings.themeChoice.label), saved for the next start.\(more)")
    }

    /// Switches the mouse on or off, and shows a message about the effect.
    mutating func switchMouse() -> [Effect] {
        let isOn = !settings.isMouseOn
        show(isOn ? "Mouse on. Hold Shift to select text as usual." : "Mouse off. The terminal selects text by itself.")
        return changeSettings { $0.chosenMouse = isOn }
    }
}
