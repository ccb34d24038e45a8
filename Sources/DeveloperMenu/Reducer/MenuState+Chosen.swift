import FlagModel

// What is asked for in words and numbers instead of keys: the menu of lines speaks to the reducer this way.
extension MenuState {
    /// Selects a flag wherever it is listed; the selection stays where it is not.
    mutating func chooseFlag(_ key: FlagText) {
        messages.current = nil
        guard let row = row(of: key) else {
            return say("\(key.string) is not listed now. Show all flags to find it.", .refusal)
        }
        list.select(row, height: Layout(self).listHeight, board: board)
    }

    /// The row of a flag; `nil` where it is not listed.
    func row(of key: FlagText) -> Int? {
        board.place(of: key).flatMap { list.rows.firstIndex(of: .flag($0)) }
    }

    /// Follows the binding of an intent, whatever its keys.
    ///
    /// Whoever asks for several things in a row has the first one refused and the menu elsewhere than expected: the rest
    /// was not meant for that place.
    mutating func choose(_ intent: Intent, in context: Binding.Context) -> [Effect] {
        guard mode.context == context,
            let binding = keymap.binding(of: intent, in: context)
        else { return [] }
        messages.current = nil
        return follow(binding)
    }

    /// Replaces what stands on the line under edit.
    mutating func write(_ text: String) {
        switch mode {
        case .filter: editFilter { $0 = TextField() }
        case .help, .palette: editActionFilter { $0 = TextField() }
        case .prompt:
            editPrompt { $0 = TextField(text) }
            return
        case .editor(var editor):
            editor.replaceText(with: text)
            mode = .editor(editor)
            return
        default: return
        }
        typeInFilter(text)
    }
}
