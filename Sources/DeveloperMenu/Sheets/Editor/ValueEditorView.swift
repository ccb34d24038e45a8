import FlagModel
import TerminalUI

/// Draws the editor of a value on one line: the flag's description, the input, a hint, and the values of the layers.
struct ValueEditorView {
    let state: MenuState
    let editor: ValueEditor
    let facts: FlagFacts

    private var columns: Int { min(72, state.size.columns - 4) }
    /// The minimum number of rows for the hint if there is room, so that the sheet keeps its size while the user types.
    private static let hintRows = 2

    /// Draws the sheet.
    ///
    /// - Returns: the cursor position in the line.
    func draw(on frame: inout Frame) -> Position? {
        let words = EditorWords(state: state, editor: editor, facts: facts)
        let hint = words.hint(columns: columns)
        let room = SheetFrame.room(on: state.size) - 2 - hint.count
        let layers = Array(words.layers(columns: columns).prefix(max(0, room - 1)))
        let isRoomy = room >= layers.count + 3
        let details = isRoomy ? words.details(columns: columns, rows: room - layers.count - 3) : []
        let gap = isRoomy ? [StyledLine()] : []
        let heading = details + [words.identity(columns: columns)] + gap
        let padding = isRoomy ? max(0, Self.hintRows - hint.count) : 0
        let below = hint + Array(repeating: StyledLine(), count: padding) + (layers.isEmpty ? [] : gap) + layers
        let sheet = SheetFrame(lines: heading.count + 1 + below.count, columns: columns, on: frame.size)
        sheet.draw(title: facts.name, state: state, on: &frame)
        let inside = sheet.inside
        let row = inside.row + heading.count
        frame.write(heading, in: inside)
        frame.write(below, in: inside.droppingTop(heading.count + 1))
        return drawField(row: row, in: inside, on: &frame)
    }

    private func drawField(row: Int, in inside: Region, on frame: inout Frame) -> Position {
        frame.write(">", at: Position(row: row, column: inside.column), limit: 1, style: state.theme.key)
        let line = FieldLine(
            editor.field, column: inside.column + 2, columns: inside.columns - 3, charset: state.charset)
        line.draw(row: row, style: editor.replacesAll ? state.theme.selection : state.theme.title, on: &frame)
        return Position(row: row, column: line.cursorColumn)
    }
}
