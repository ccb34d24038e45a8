import FlagModel
import FlagQueries
import TerminalUI

// The view of the dialog that confirms a bulk action: the outcome, the list of changes, and the keys.
extension BulkDialog {
    /// The minimum width: room for the sentences and for the keys at the bottom.
    private static let minimumColumns = 76

    func view(in state: MenuState) -> SheetList {
        let rows = BulkDialogRows(plan, state)
        let columns = min(max(Self.minimumColumns, rows.wantedColumns), state.size.columns - 4)
        let outcome = WrappedText(columns: columns, charset: state.charset).lines(of: outcome(in: state))
        let gap = state.size.rows < Layout.roomy.rows ? [] : [StyledLine()]
        var view = SheetList(
            state, title: plan.title, columns: columns, above: outcome + gap,
            rows: rows.lines(columns: columns).map { SheetList.Row(line: $0) }, below: gap + [StyledLine()],
            top: scrolled.top, asks: true)
        view.below = gap + [choices(columns: columns, hidden: view.shown.hiddenBelow, state)]
        return view
    }

    /// The result of the change, and a sentence about fuzzy matches of the filter, if there are any.
    private func outcome(in state: MenuState) -> String {
        guard !otherKeys.isEmpty, !isByLetters else {
            return isByLetters
                ? "These match \(state.list.filter.text.cited) only fuzzily. \(plan.outcome)" : plan.outcome
        }
        let count = otherKeys.count.counted("fuzzy match is", "fuzzy matches are")
        return "\(plan.outcome) \(count) not included: \(state.keyWord(of: "others", in: .dialog)) shows them."
    }

    /// The keys to confirm and to cancel, and a note: the number of hidden rows, or how to undo.
    private func choices(columns: Int, hidden: Int, _ state: MenuState) -> StyledLine {
        let yes =
            plan.lines.isEmpty
            ? StyledLine()
            : StyledLine(state.keyName(of: .accept, in: .dialog), state.theme.key)
                .adding(" \(plan.bulkAction.rawValue)   ")
        let keys = yes.adding(state.keyName(of: .cancel, in: .dialog), state.theme.key).adding(" cancel (default)")
        let undo = plan.bulkAction == .activate ? "" : "\(state.keyWord(of: .undo)) undoes it"
        let note = hidden > 0 ? "\(hidden) more below" : undo
        let gap = columns - keys.width(state.charset) - note.count
        guard gap >= 3 else { return keys }
        return keys.adding(String(repeating: " ", count: gap)).adding(note, state.theme.faint)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        var lines = ["\(plan.title) \(outcome(in: state))"]
        lines += plan.lines.map { line in
            let before = line.before.map(FlagSentences.stored) ?? "not set"
            let isSame = line.before == line.after
            let after =
                isSame ? "stays, same as remote" : line.after.map { "becomes \(FlagSentences.stored($0))" }
            return "\(line.key): \(before) \(after ?? "becomes not set")."
        }
        lines += plan.exceptions.map { "\($0.key) is left out. \($0.reason)" }
        lines.append("\(state.keyWord(of: .accept, in: .dialog)) confirms, anything else cancels.")
        return LineModeSheet(lines: lines, prompt: "\(plan.bulkAction.rawValue.capitalized)? ")
    }
}
