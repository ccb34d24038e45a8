import FlagModel
import FlagQueries
import TerminalUI

/// Draws the explanation of a flag, on screens without a detail pane.
struct ExplanationView {
    let state: MenuState
    let sheet: ExplanationSheet
    let facts: FlagFacts

    private let lines: [StyledLine]
    private let box: SheetFrame
    /// Whether the explanation has JSON to fold and unfold.
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

    /// The scroll position.
    var scrolled: ScrolledLines { ScrolledLines(count: lines.count, room: box.inside.rows, top: sheet.scrolled.top) }

    func draw(on frame: inout Frame) -> Position? {
        box.draw(title: facts.name, lines, scrolled, state: state, on: &frame)
    }
}

extension ExplanationSheet {
    mutating func layOut(in state: MenuState) {
        let view = view(in: state)
        (scrolled, hasFoldedValues) = (view.scrolled, view.hasFoldedValues)
    }

    func draw(in state: MenuState, on frame: inout Frame) -> Position? { view(in: state).draw(on: &frame) }

    private func view(in state: MenuState) -> ExplanationView {
        ExplanationView(state: state, sheet: self, facts: state.facts(of: key))
    }

    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(lines: FlagSentences(state.facts(of: key)).full(in: state), isAnnounced: true)
    }
}
