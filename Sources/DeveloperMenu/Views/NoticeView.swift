import FlagModel
import FlagQueries
import TerminalUI

/// The second line: the filter with the number of flags, or an error until the error is fixed. An error may need more
/// lines.
struct NoticeView {
    let state: MenuState
    let row: Int

    /// Draws the line, and returns the position of the cursor in a filter.
    func draw(on frame: inout Frame) -> Position? {
        switch state.notice {
        case .filter: return drawFilter(on: &frame)
        case .issue(let text, let remedy):
            frame.write(remedy, row: row, endingBefore: frame.size.columns - 1, style: state.theme.key)
            for (index, line) in Self.issueLines(text, remedy, state).enumerated() {
                frame.write(line, at: Position(row: row + index, column: 1), style: state.theme.error)
            }
            return nil
        case nil: return nil
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

    private func drawFilter(on frame: inout Frame) -> Position {
        let (isTyped, filter) = (state.mode == .filter, state.list.filter)
        return FieldLine(
            sign: isTyped || !filter.text.isEmpty ? "/" : "", text: filter,
            style: isTyped && state.list.replacesFilter ? state.theme.selection : .plain, count: count
        ).draw(in: Region(row: row, column: 1, rows: 1, columns: frame.size.columns - 2), state.theme, on: &frame)
    }

    /// The error in up to three lines, as its last words may be the most important ones.
    private static func issueLines(_ text: String, _ remedy: String, _ state: MenuState) -> [String] {
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
        if let notice = bisectNotice, mode.sheet == nil {
            return .issue(notice, remedy: "\(keyName(of: "bisect")) goes on")
        }
        if let issue = watchErrors.first { return .issue(issue, remedy: "") }
        if let issue = remote.issues.first { return .issue(issue, remedy: "\(keyWord(of: .fetch)) fetch") }
        return list.isNarrowed || list.hasOtherOrder || !list.marks.isEmpty ? .filter : nil
    }
}
