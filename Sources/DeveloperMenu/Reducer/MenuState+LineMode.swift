import FlagModel
import FlagQueries

// Events of line mode, which chooses flags and actions without keys.
extension MenuState {
    /// Selects a flag. If the flag is not listed, shows a message.
    mutating func chooseFlag(_ key: FlagText) {
        messages.current = nil
        guard let row = list.row(of: key) else {
            show("\(key.string) is not listed now. Show all flags to find it.", .rejection)
            return
        }
        list.select(row)
    }

    /// Performs an action by its id.
    ///
    /// Does nothing if another part of the menu is open. Line mode sends several events in a row: if the first event
    /// fails, the following events must not act on another part.
    mutating func choose(_ id: Action.ID, in part: MenuPart) -> [Effect] {
        guard mode.part == part, let action = keymap.action(id, in: part) else { return [] }
        (messages.current, remote.watchedFetch, clickedEntry) = (nil, nil, nil)
        return perform(action)
    }

    /// Replaces the text of the edited line.
    mutating func write(_ text: String) {
        inSheet { sheet, _ in sheet.write(text) }
        if mode == .filter {
            list.changeFilter { $0 = TextField() }
            typeInFilter(text)
        }
    }
}
