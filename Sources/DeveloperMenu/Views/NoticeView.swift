import FlagModel
import FlagQueries
import TerminalUI

/// The second line: the filter with the number of flags, or an error until the error is fixed. An error may need more
/// lines.
struct NoticeView {
    let state: MenuState
    let row: Int

    func draw(on frame: inout Frame) {
        switch state.notice {
        case .filter: drawFilter(on: &frame)
        case .issue(let text, let remedy): drawIssue(text, remedy, on: &frame)
        case nil: break
        }
    }

    /// The number of lines of the notice; 0 for none.
    static func rows(for state: MenuState) -> Int {
        switch state.notice {
        case .filter: 1
        case .issue(let text, let remedy): issueLines(text, remedy, state).count
        case nil: 0
        }
    }

    private func drawFilter(on frame: inout Frame) {
        let width = frame.size.columns
        frame.write(count, row: row, endingBefore: width - 1, style: state.theme.faint)
        guard state.mode == .filter || !state.list.filter.text.isEmpty else { return }
        frame.write("/", at: Position(row: row, column: 1), limit: 1, style: state.theme.key)
        let isMarked = state.mode == .filter && state.list.replacesFilter
        field(columns: width).draw(row: row, style: isMarked ? state.theme.selection : .plain, on: &frame)
    }

    private func drawIssue(_ text: String, _ remedy: String, on frame: inout Frame) {
        frame.write(remedy, row: row, endingBefore: frame.size.columns - 1, style: state.theme.key)
        for (index, line) in Self.issueLines(text, remedy, state).enumerated() {
            frame.write(line, at: Position(row: row + index, column: 1), style: state.theme.error)
        }
    }

    /// The error in up to three lines, as its last words may be the most important ones.
    private static func issueLines(_ text: String, _ remedy: String, _ state: MenuState) -> [String] {
        let columns = state.size.columns - (remedy.isEmpty ? 2 : DisplayText.width(remedy) + 4)
        let limit = state.size.rows < Layout.roomy.rows ? 2 : 3
        let lines = DisplayText.wrapped("! \(text)", columns: columns, charset: state.charset)
        guard lines.count > limit else { return lines }
        let lastLine = lines[(limit - 1)...].joined(separator: " ")
        return lines.prefix(limit - 1) + [DisplayText.clipped(lastLine, to: columns, charset: state.charset)]
    }

    /// How many flags are marked and listed, and which order and restriction the list has.
    private var count: String {
        let total = state.board.placeCount
        let isOfChanges = state.list.showsChangesOnly && state.list.filter.text.isEmpty
        let order = state.list.hasOtherOrder ? [state.list.order.label] : []
        let restriction = state.list.showsChangesOnly ? ["what you changed"] : []
        let folded = state.list.foldedCount
        let listed =
            folded > 0
            ? "\(folded) of \(total) folded"
            : state.list.isSearching ? "searching \(total)" : "\(state.list.flagCount) of \(total)"
        let marked = state.list.marks.isEmpty ? [] : ["\(state.list.markedCount) marked"]
        return (marked + order + restriction + (isOfChanges ? [] : [listed])).joined(separator: ", ")
    }

    private func field(columns: Int) -> FieldLine {
        FieldLine(state.list.filter, column: 3, columns: columns - 6 - count.count, charset: state.charset)
    }

    /// The cursor position while the filter is typed.
    func cursor(columns: Int) -> Position {
        Position(row: row, column: field(columns: columns).cursorColumn)
    }
}

extension MenuState {
    /// The content of the second line.
    enum Notice: Equatable {
        case filter
        case issue(String, remedy: String)
    }

    /// The content of the second line; `nil` for none.
    var notice: Notice? {
        if mode == .filter { return .filter }
        if let issue = store.error {
            return .issue(issue, remedy: store.unsaved.isEmpty ? "" : "\(keyWord(of: .retry)) save again")
        }
        if let issue = watchErrors.first { return .issue(issue, remedy: "") }
        if let issue = remoteIssues.first { return .issue(issue, remedy: "\(keyWord(of: .fetch)) fetch") }
        return list.isNarrowed || list.hasOtherOrder || !list.marks.isEmpty ? .filter : nil
    }

    /// The errors of the remote values that are not fixed yet, a sentence each.
    var remoteIssues: [String] {
        guard remote.showsFormerContext, remote.fetch == nil else { return remote.errors }
        let contextIssue = "The values shown are for the previous context."
        guard let issue = remote.errors.first else { return [contextIssue] }
        return ["\(contextIssue) \(issue)"] + remote.errors.dropFirst()
    }
}
