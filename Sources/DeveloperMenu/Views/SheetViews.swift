import FlagModel
import TerminalUI

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
