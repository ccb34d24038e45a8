import FlagModel

// Events of line mode, in words and numbers instead of keys.
extension MenuState {
    /// Selects a flag if it is listed; otherwise the selection stays.
    mutating func chooseFlag(_ key: FlagText) {
        messages.current = nil
        guard let row = row(of: key) else {
            return say("\(key.string) is not listed now. Show all flags to find it.", .refusal)
        }
        list.select(row, height: layout.listHeight, board: board)
    }

    /// The row of a flag; `nil` if it is not listed.
    func row(of key: FlagText) -> Int? {
        board.place(of: key).flatMap { list.rows.firstIndex(of: .flag($0)) }
    }

    /// Performs an action, whatever its keys.
    ///
    /// Line mode sends several events in a row. If the first fails, the menu is in another part than expected, and the
    /// rest is dropped.
    mutating func choose(_ id: Action.ID, in part: MenuPart) -> [Effect] {
        guard mode.part == part, let action = keymap.action(id, in: part) else { return [] }
        (messages.current, remote.watchedFetch) = (nil, nil)
        return follow(action)
    }

    /// Replaces the text of the open line.
    mutating func write(_ text: String) {
        if let sheet = mode.sheet {
            sheet.write(text, in: &self)
        } else if mode == .filter {
            editFilter { $0 = TextField() }
            typeInFilter(text)
        }
    }
}
