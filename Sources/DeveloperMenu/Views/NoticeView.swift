import FlagModel
import FlagQueries
import TerminalUI

/// The second line: the filter with the number of flags, or an error until the error is fixed. An error may need more
/// lines.
struct NoticeView {
    let state: MenuState

    /// What the line shows.
    enum Content: Equatable {
        case filter
        case issue(String, remedy: String)
    }

    /// What the line shows; `nil` for nothing.
    var content: Content? {
        if state.mode == .filter { return .filter }
        if let issue = state.store.error {
            return .issue(issue, remedy: state.store.unsaved.isEmpty ? "" : "\(state.keyWord(of: .retry)) save again")
        }
        if let notice = state.bisectNotice, state.mode.sheet == nil {
            return .issue(notice, remedy: "\(state.keyName(of: "bisect")) goes on")
        }
        if let issue = state.watchErrors.first { return .issue(issue, remedy: "") }
        if let issue = state.remote.issues.first {
            return .issue(issue, remedy: "\(state.keyWord(of: .fetch)) fetch")
        }
        let list = state.list
        return list.isNarrowed || list.hasOtherOrder || !list.marks.isEmpty ? .filter : nil
    }

    /// Draws the line, and returns the position of the cursor in a filter.
    func draw(on frame: inout Frame) -> Position? {
        guard let row = state.layout.noticeRow else { return nil }
        switch content {
        case .filter: return drawFilter(row: row, on: &frame)
        case .issue(let text, let remedy):
            frame.write(remedy, row: row, endingBefore: frame.size.columns - 1, style: state.theme.key)
            for (index, line) in issueLines(text, remedy).enumerated() {
                frame.write(line, at: Position(row: row + index, column: 1), style: state.theme.error)
            }
            return nil
        case nil: return nil
        }
    }

    /// The number of lines of the notice; 0 for none.
    var rows: Int {
        switch content {
        case .filter: 1
        case .issue(let text, let remedy): issueLines(text, remedy).count
        case nil: 0
        }
    }

    private func drawFilter(row: Int, on frame: inout Frame) -> Position {
        let (isTyped, filter) = (state.mode == .filter, state.list.filter)
        return FieldLine(
            sign: isTyped || !filter.text.isEmpty ? "/" : "", text: filter,
            style: isTyped && state.list.replacesFilter ? state.theme.selection : .plain, count: count
        ).draw(in: Region(row: row, column: 1, rows: 1, columns: frame.size.columns - 2), state.theme, on: &frame)
    }

    /// The error in up to three lines, as its last words may be the most important ones.
    private func issueLines(_ text: String, _ remedy: String) -> [String] {
        let columns = state.size.columns - (remedy.isEmpty ? 2 : DisplayText.width(remedy) + 4)
        let limit = state.size.rows < Layout.roomy.rows ? 2 : 3
        return WrappedText(columns: columns, charset: state.charset).lines(of: "! \(text)", filling: limit)
    }

    /// How many flags are marked and listed, and which order and restriction the list has.
    private var count: String {
        let total = state.board.places.count
        let isOfChanges = state.list.showsChangesOnly && state.list.filter.text.isEmpty
        let order = state.list.hasOtherOrder ? [state.list.order.label] : []
        let restriction = state.list.showsChangesOnly ? ["what you changed"] : []
        let folded = state.list.foldedCount
        let listed =
            folded > 0
            ? "\(folded) of \(total) folded"
            : "\(state.list.flagCount) of \(total)"
        let marked = state.list.marks.isEmpty ? [] : ["\(state.list.markedCount) marked"]
        return (marked + order + restriction + (isOfChanges ? [] : [listed])).joined(separator: ", ")
    }
}
