import FlagModel
import TerminalUI

/// The question before several overrides change, with the list of them.
struct BulkQuestionView {
    let state: MenuState
    let question: BulkQuestion

    private var count: Int { question.lines.count + question.exceptions.count }
    private var columns: Int { min(76, state.size.columns - 4) }
    private var sheet: SheetFrame { SheetFrame(lines: count + 4, columns: columns, on: state.size) }
    /// Lines of the list that are in view.
    private var room: Int { max(1, sheet.inside.rows - 4) }
    /// Lines to scroll by for the next page, of which one stays in view.
    var pageRows: Int { max(1, room - 1) }

    /// The first line shown after scrolling by so many lines.
    func top(after lines: Int) -> Int {
        max(0, min(question.top + lines, count - room))
    }

    func draw(on frame: inout Frame) -> Position? {
        sheet.draw(title: question.title, state: state, on: &frame)
        let inside = sheet.inside
        frame.write(clipping: question.outcome, row: inside.row, column: inside.column, columns: inside.columns)
        let top = top(after: 0)
        for (index, line) in (top..<min(top + room, count)).enumerated() {
            draw(line, row: inside.row + 2 + index, in: inside, on: &frame)
        }
        let last = inside.row + inside.rows - 1
        let hidden = count - top - room
        let keys = StyledLine(state.keyName(of: .accept, in: .question), state.theme.key)
            .adding(" \(question.deed.rawValue)   ")
            .adding(state.keyName(of: .cancel, in: .question), state.theme.key).adding(" keep (default)")
        frame.write(keys, row: last, column: inside.column, columns: inside.columns)
        let key = state.keyWord(of: .undo)
        let undo = question.deed == .clear ? "\(key) would bring them back" : "\(key) would take it back"
        let note = hidden > 0 ? "\(hidden) more below" : undo
        guard keys.width(state.charset) + note.count + 3 <= inside.columns else {
            return Position(row: last, column: inside.column)
        }
        frame.write(note, row: last, endingBefore: inside.column + inside.columns, style: state.theme.faint)
        return Position(row: last, column: inside.column)
    }

    /// A line of what changes, or behind all of them one of what does not.
    private func draw(_ index: Int, row: Int, in inside: Region, on frame: inout Frame) {
        let isChange = index < question.lines.count
        let exception = isChange ? nil : question.exceptions[index - question.lines.count]
        let key = exception?.key ?? question.lines[index].key
        let keyColumns = inside.columns * 3 / 5
        frame.write(
            DisplayText.middleClipped(key, to: keyColumns - 2, charset: state.charset),
            at: Position(row: row, column: inside.column + 2), style: isChange ? state.theme.plain : state.theme.faint)
        frame.write(
            clipping: exception.map { "left out: \($0.reason)" } ?? question.lines[index].words, row: row,
            column: inside.column + keyColumns + 2, columns: inside.columns - keyColumns - 2,
            style: isChange ? state.theme.plain : state.theme.faint)
    }
}

extension BulkQuestion.Line {
    /// What becomes of the flag, `old -> new`.
    fileprivate var words: String {
        let shown = { (value: String?) in value.map { $0.isEmpty ? "\"\"" : $0 } ?? "no value" }
        let isSame = before != nil && before == after
        return "\(shown(before)) -> \(shown(after))\(isSame ? " (same)" : "")"
    }
}
