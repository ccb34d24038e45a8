import FlagModel
import TerminalUI

/// The question before overrides are cleared, with the list of them.
struct ClearQuestionView {
    let state: MenuState
    let question: ClearQuestion

    private var columns: Int { min(76, state.size.columns - 4) }
    private var sheet: SheetFrame { SheetFrame(lines: question.lines.count + 4, columns: columns, on: state.size) }
    /// Lines of the list that are in view.
    private var room: Int { max(1, sheet.inside.rows - 4) }

    /// The first line shown after scrolling by so many lines.
    func top(after count: Int) -> Int {
        max(0, min(question.top + count, question.lines.count - room))
    }

    func draw(on frame: inout Frame) -> Position? {
        let scope = question.scope.isEmpty ? "" : " \(question.scope)"
        let noun = question.lines.count == 1 ? "override" : "overrides"
        sheet.draw(title: "Clear \(question.lines.count) \(noun)\(scope)?", state: state, on: &frame)
        let inside = sheet.inside
        frame.write(
            clipping: "The remote values return.", row: inside.row, column: inside.column, columns: inside.columns)
        let top = top(after: 0)
        let keyColumns = inside.columns * 3 / 5
        for (index, line) in question.lines.dropFirst(top).prefix(room).enumerated() {
            let row = inside.row + 2 + index
            frame.write(
                DisplayText.middleClipped(line.key, to: keyColumns - 2, charset: state.charset),
                at: Position(row: row, column: inside.column + 2))
            frame.write(
                clipping: change(line), row: row, column: inside.column + keyColumns + 2,
                columns: inside.columns - keyColumns - 2)
        }
        let last = inside.row + inside.rows - 1
        let hidden = question.lines.count - top - room
        let keys = StyledLine("y", state.theme.key).adding(" clear   ").adding("n", state.theme.key).adding(
            " keep (default)")
        frame.write(keys, row: last, column: inside.column, columns: inside.columns)
        let note = hidden > 0 ? "\(hidden) more below" : "u would bring them back"
        guard keys.width(state.charset) + note.count + 3 <= inside.columns else {
            return Position(row: last, column: inside.column)
        }
        frame.write(note, row: last, endingBefore: inside.column + inside.columns, style: state.theme.faint)
        return Position(row: last, column: inside.column)
    }

    private func change(_ line: ClearQuestion.Line) -> String {
        let after = line.valueAfter.map { $0 == line.value ? "\($0) (same)" : $0 } ?? "no value"
        return "\(line.value.isEmpty ? "\"\"" : line.value) -> \(after.isEmpty ? "\"\"" : after)"
    }
}

/// The explanation of a flag, for screens without a detail pane.
struct ExplanationView {
    let state: MenuState
    let sheet: ExplanationSheet
    let facts: FlagFacts

    private let lines: [StyledLine]
    private let box: SheetFrame
    /// `true` when there is JSON to fold and to show whole.
    let hasFoldedValues: Bool

    init(state: MenuState, sheet: ExplanationSheet, facts: FlagFacts) {
        (self.state, self.sheet, self.facts) = (state, sheet, facts)
        let columns = min(76, state.size.columns - 4)
        let text = ExplanationText(
            facts: facts, state: state, columns: columns, showsTitle: false, isUnfolded: sheet.isUnfolded)
        lines = text.lines
        hasFoldedValues = text.hasFoldedValues
        box = SheetFrame(lines: lines.count, columns: columns, on: state.size)
    }

    /// `true` when more lines are there than fit.
    var canScroll: Bool { lines.count > box.inside.rows }

    /// Lines to scroll by for the next page, of which one stays in view.
    var pageRows: Int { max(1, box.inside.rows - 1) }

    /// The first line shown after scrolling by so many lines.
    func top(after count: Int) -> Int {
        let last = max(0, lines.count - box.inside.rows)
        return max(0, min(min(sheet.top, last) + count, last))
    }

    func draw(on frame: inout Frame) -> Position? {
        box.draw(title: facts.name, state: state, on: &frame)
        let top = top(after: 0)
        for (index, line) in lines.dropFirst(top).prefix(box.inside.rows).enumerated() {
            frame.write(line, row: box.inside.row + index, column: box.inside.column, columns: box.inside.columns)
        }
        box.drawScrollHint(
            beside: box.inside.rowRange, above: top > 0, below: top + box.inside.rows < lines.count, on: &frame)
        return Position(row: box.inside.row, column: box.inside.column)
    }
}
