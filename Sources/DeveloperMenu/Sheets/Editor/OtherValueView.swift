import FlagModel
import TerminalUI

/// Draws the dialog to confirm a value that is not among the options.
struct OtherValueView {
    let state: MenuState
    let editor: ValueEditor
    let facts: FlagFacts

    func draw(on frame: inout Frame) -> Position? {
        let columns = min(72, state.size.columns - 4)
        let room = SheetFrame.room(on: state.size)
        let lines = Array(sentences(columns: columns).prefix(max(1, room - 2)))
        let sheet = SheetFrame(lines: lines.count + 2, columns: columns, on: frame.size)
        sheet.draw(title: "Set \(facts.name) to another value?", state: state, on: &frame)
        let inside = sheet.inside
        frame.write(lines, in: inside)
        let last = inside.row + inside.rows - 1
        let yes = StyledLine(state.keyName(of: .accept, in: .otherValue), state.theme.key)
        let no = state.keyName(of: .cancel, in: .otherValue)
        let keys = yes.adding(" set it anyway   ").adding(no, state.theme.key).adding(" keep editing (default)")
        let short = yes.adding(" set it  ").adding(no, state.theme.key).adding(" keep editing")
        let fits = keys.width(state.charset) <= inside.columns
        frame.write(fits ? keys : short, row: last, column: inside.column, columns: inside.columns)
        return Position(row: last, column: inside.column)
    }

    private func sentences(columns: Int) -> [StyledLine] {
        let value = DisplayText.clipped(editor.text, to: 2 * columns, charset: state.charset)
        let options = facts.options.map(\.value.orQuotes).joined(separator: ", ")
        let sentence = "\"\(value)\" is not one of the \(facts.options.count) options. Apps may not know it."
        let text = WrappedText(columns: columns, charset: state.charset)
        return text.lines(of: sentence) + [StyledLine()] + text.lines(of: "Options: \(options)", state.theme.faint)
    }
}
