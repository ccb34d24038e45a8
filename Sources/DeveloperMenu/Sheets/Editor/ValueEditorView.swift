import FlagModel
import TerminalUI

// The view of the editor of a value on one line: the flag's description, the input, a hint, and the values of the
// layers.
extension ValueEditor {
    /// The minimum number of rows for the hint if there is room, so that the sheet keeps its size while the user types.
    private static let hintRows = 2

    func view(in state: MenuState) -> SheetList {
        let facts = state.facts(of: key)
        let words = EditorWords(state: state, editor: self, facts: facts)
        let columns = min(72, state.size.columns - 4)
        let hint = words.hint(columns: columns).prefix(max(0, SheetFrame.room(on: state.size) - 2))
        let room = SheetFrame.room(on: state.size) - 2 - hint.count
        let layers = Array(words.layers(columns: columns).prefix(max(0, room - 1)))
        let isRoomy = room >= layers.count + 3
        let details = isRoomy ? words.details(columns: columns, rows: room - layers.count - 3) : []
        let gap = isRoomy ? [StyledLine()] : []
        let padding = isRoomy ? max(0, Self.hintRows - hint.count) : 0
        return SheetList(
            state, title: facts.name, columns: columns,
            above: details + [words.identity(columns: columns)] + gap,
            field: .init(
                sign: ">", text: field, style: replacesAll ? state.theme.selection : state.theme.title, hasGap: false),
            below: hint + Array(repeating: StyledLine(), count: padding) + (layers.isEmpty ? [] : gap) + layers)
    }
}
