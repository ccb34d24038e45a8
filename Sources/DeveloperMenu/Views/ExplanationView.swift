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

    /// What of it is in view.
    var scrolled: ScrolledLines { ScrolledLines(count: lines.count, room: box.inside.rows, top: sheet.top) }

    func draw(on frame: inout Frame) -> Position? {
        box.draw(title: facts.name, lines, scrolled, state: state, on: &frame)
    }
}
