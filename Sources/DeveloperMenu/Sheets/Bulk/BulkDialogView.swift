import FlagModel
import FlagQueries
import TerminalUI

/// Draws the dialog that confirms a bulk action, with the list of changes.
struct BulkDialogView {
    let state: MenuState
    let dialog: BulkDialog
    private let rows: BulkDialogRows
    private let outcome: [String]
    private let sheet: SheetFrame
    /// The number of empty lines above and below the list; 0 on a small screen.
    private let gap: Int

    init(state: MenuState, dialog: BulkDialog) {
        (self.state, self.dialog) = (state, dialog)
        let wanted = max(Self.minimumColumns, BulkDialogRows.wantedColumns(of: dialog.plan, state.charset))
        let columns = min(wanted, state.size.columns - 4)
        rows = BulkDialogRows(dialog.plan, columns: columns, charset: state.charset)
        outcome = DisplayText.wrapped(Self.outcome(dialog, state), columns: columns, charset: state.charset)
        gap = state.size.rows < Layout.roomy.rows ? 0 : 1
        sheet = SheetFrame(lines: rows.count + outcome.count + 2 * gap + 1, columns: columns, on: state.size)
    }

    /// The result of the change, and a sentence about fuzzy matches of the filter, if there are any.
    static func outcome(_ dialog: BulkDialog, _ state: MenuState) -> String {
        guard !dialog.otherKeys.isEmpty, !dialog.isByLetters else {
            return dialog.isByLetters
                ? "These match \(state.list.filter.text.cited) only fuzzily. \(dialog.plan.outcome)"
                : dialog.plan.outcome
        }
        let count = dialog.otherKeys.count.counted("fuzzy match is", "fuzzy matches are")
        return
            "\(dialog.plan.outcome) \(count) not included: \(state.keyWord(of: "others", in: .dialog)) shows them."
    }

    /// The minimum width: room for the sentences and for the keys at the bottom.
    private static let minimumColumns = 76

    /// The scroll position of the list.
    var scrolled: ScrolledLines {
        ScrolledLines(
            count: rows.count, room: sheet.inside.rows - outcome.count - 2 * gap - 1, top: dialog.scrolled.top)
    }

    func draw(on frame: inout Frame) -> Position? {
        sheet.draw(title: dialog.plan.title, state: state, on: &frame)
        let inside = sheet.inside
        frame.write(outcome.map { StyledLine($0) }, in: inside)
        let scrolled = scrolled
        let first = inside.row + outcome.count + gap
        let shown = rows.rows(scrolled.range)
        for (index, row) in shown.enumerated() { draw(row, at: first + index, in: inside, on: &frame) }
        sheet.drawScrollHint(beside: first..<first + shown.count, scrolled, on: &frame)
        return drawChoices(hidden: scrolled.hiddenBelow, on: &frame)
    }

    /// Draws the keys to confirm and to cancel, and a note: the number of hidden rows, or how to undo.
    private func drawChoices(hidden: Int, on frame: inout Frame) -> Position {
        let inside = sheet.inside
        let last = inside.row + inside.rows - 1
        let yes =
            dialog.plan.lines.isEmpty
            ? StyledLine()
            : StyledLine(state.keyName(of: .accept, in: .dialog), state.theme.key)
                .adding(" \(dialog.plan.bulkAction.rawValue)   ")
        let keys = yes.adding(state.keyName(of: .cancel, in: .dialog), state.theme.key).adding(" cancel (default)")
        frame.write(keys, row: last, column: inside.column, columns: inside.columns)
        let key = state.keyWord(of: .undo)
        let undo = dialog.plan.bulkAction == .activate ? "" : "\(key) undoes it"
        let note = hidden > 0 ? "\(hidden) more below" : undo
        guard keys.width(state.charset) + note.count + 3 <= inside.columns else {
            return Position(row: last, column: inside.column)
        }
        frame.write(note, row: last, endingBefore: inside.column + inside.columns, style: state.theme.faint)
        return Position(row: last, column: inside.column)
    }

    /// Draws a row of a change or of a skipped flag.
    private func draw(_ row: BulkDialogRows.Row, at line: Int, in inside: Region, on frame: inout Frame) {
        let style = row.isChange ? state.theme.plain : state.theme.faint
        frame.write(clipping: row.key, row: line, column: inside.column, columns: inside.columns, style: style)
        guard !row.text.isEmpty else { return }
        frame.write(
            clipping: row.text, row: line, column: inside.column + rows.keyColumns,
            columns: inside.columns - rows.keyColumns, style: style)
    }
}

extension BulkDialog {
    mutating func layOut(in state: MenuState) { scrolled = BulkDialogView(state: state, dialog: self).scrolled }

    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        BulkDialogView(state: state, dialog: self).draw(on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        var lines = ["\(plan.title) \(BulkDialogView.outcome(self, state))"]
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
