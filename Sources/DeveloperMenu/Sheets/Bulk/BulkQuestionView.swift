import FlagModel
import TerminalUI

/// The dialog before a bulk action, with the list of changes.
struct BulkQuestionView {
    let state: MenuState
    let question: BulkQuestion
    private let rows: BulkQuestionRows
    private let outcome: [String]
    private let sheet: SheetFrame
    /// Empty lines above and below the list; none on a small screen.
    private let gap: Int

    init(state: MenuState, question: BulkQuestion) {
        (self.state, self.question) = (state, question)
        let wanted = max(Self.leastColumns, BulkQuestionRows.wantedColumns(of: question, state.charset))
        let columns = min(wanted, state.size.columns - 4)
        rows = BulkQuestionRows(question, columns: columns, charset: state.charset)
        outcome = DisplayText.wrapped(Self.outcome(question, state), columns: columns, charset: state.charset)
        gap = state.size.rows < Layout.roomy.rows ? 0 : 1
        sheet = SheetFrame(lines: rows.count + outcome.count + 2 * gap + 1, columns: columns, on: state.size)
    }

    /// The result of yes, and which flags are skipped.
    static func outcome(_ question: BulkQuestion, _ state: MenuState) -> String {
        guard !question.byLettersOnly.isEmpty, !question.isByLetters else {
            return question.isByLetters
                ? "These only have the letters of \(state.list.filter.text.cited), scattered. \(question.outcome)"
                : question.outcome
        }
        let count = question.byLettersOnly.count.counted("other match has", "other matches have")
        return
            "\(question.outcome) \(count) the letters only: \(state.keyWord(of: "others", in: .question)) shows them."
    }

    /// Columns for the keys at the bottom and the sentences.
    private static let leastColumns = 76

    /// The part of the list in view.
    var scrolled: ScrolledLines {
        ScrolledLines(
            count: rows.count, room: sheet.inside.rows - outcome.count - 2 * gap - 1, top: question.scrolled.top)
    }

    func draw(on frame: inout Frame) -> Position? {
        sheet.draw(title: question.title, state: state, on: &frame)
        let inside = sheet.inside
        frame.write(outcome.map { StyledLine($0) }, in: inside)
        let scrolled = scrolled
        let first = inside.row + outcome.count + gap
        let shown = rows.rows(scrolled.range)
        for (index, row) in shown.enumerated() { draw(row, at: first + index, in: inside, on: &frame) }
        sheet.drawScrollHint(beside: first..<first + shown.count, scrolled, on: &frame)
        return drawAnswers(hidden: scrolled.hiddenBelow, on: &frame)
    }

    private func drawAnswers(hidden: Int, on frame: inout Frame) -> Position {
        let inside = sheet.inside
        let last = inside.row + inside.rows - 1
        let yes =
            question.lines.isEmpty
            ? StyledLine()
            : StyledLine(state.keyName(of: .accept, in: .question), state.theme.key)
                .adding(" \(question.deed.rawValue)   ")
        let keys = yes.adding(state.keyName(of: .cancel, in: .question), state.theme.key).adding(" cancel (default)")
        frame.write(keys, row: last, column: inside.column, columns: inside.columns)
        let key = state.keyWord(of: .undo)
        let undo =
            switch question.deed {
            case .clear: "\(key) would bring them back"
            case .set, .take: "\(key) would undo it"
            case .activate: ""
            }
        let note = hidden > 0 ? "\(hidden) more below" : undo
        guard keys.width(state.charset) + note.count + 3 <= inside.columns else {
            return Position(row: last, column: inside.column)
        }
        frame.write(note, row: last, endingBefore: inside.column + inside.columns, style: state.theme.faint)
        return Position(row: last, column: inside.column)
    }

    /// A row of a change or, after all of them, of a skipped flag.
    private func draw(_ row: BulkQuestionRows.Row, at line: Int, in inside: Region, on frame: inout Frame) {
        let style = row.isChange ? state.theme.plain : state.theme.faint
        frame.write(clipping: row.key, row: line, column: inside.column, columns: inside.columns, style: style)
        guard !row.text.isEmpty else { return }
        frame.write(
            clipping: row.text, row: line, column: inside.column + rows.keyColumns,
            columns: inside.columns - rows.keyColumns, style: style)
    }
}

extension BulkQuestion {
    mutating func layOut(in state: MenuState) { scrolled = BulkQuestionView(state: state, question: self).scrolled }

    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        BulkQuestionView(state: state, question: self).draw(on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        var lines = ["\(title) \(BulkQuestionView.outcome(self, state))"]
        lines += self.lines.map { line in
            let before = line.before.map(FlagSentences.stored) ?? "not set"
            let isSame = line.before == line.after
            let after =
                isSame ? "stays, same as remote" : line.after.map { "becomes \(FlagSentences.stored($0))" }
            return "\(line.key): \(before) \(after ?? "becomes not set")."
        }
        lines += exceptions.map { "\($0.key) is left out. \($0.reason)" }
        lines.append("\(state.keyWord(of: .accept, in: .question)) does it, anything else cancels.")
        return LineModeSheet(lines: lines, prompt: "\(deed.rawValue.capitalized)? ")
    }
}
