import FlagModel

// What is asked for in words and numbers instead of keys: the menu of lines speaks to the reducer this way.
extension MenuState {
    /// Selects a flag wherever it is listed; the selection stays where it is not.
    mutating func chooseFlag(_ key: FlagText) {
        messages.current = nil
        guard let row = row(of: key) else {
            return say("\(key.string) is not listed now. Show all flags to find it.", .refusal)
        }
        list.select(row, height: layout.listHeight, board: board)
    }

    /// The row of a flag; `nil` where it is not listed.
    func row(of key: FlagText) -> Int? {
        board.place(of: key).flatMap { list.rows.firstIndex(of: .flag($0)) }
    }

    /// Performs an action, whatever its keys.
    ///
    /// Line mode asks for several things in a row. If the first is refused, the menu is elsewhere than expected, and the rest was
    /// not meant for that place.
    mutating func choose(_ id: Action.ID, in part: MenuPart) -> [Effect] {
        guard mode.part == part, let action = keymap.action(id, in: part) else { return [] }
        (messages.current, remote.watchedFetch) = (nil, nil)
        return follow(action)
    }

    /// Replaces the text of the line that is open.
    mutating func write(_ text: String) {
        if let sheet = mode.sheet {
            sheet.write(text, in: &self)
        } else if mode == .filter {
            editFilter { $0 = TextField() }
            typeInFilter(text)
        }
    }
}
