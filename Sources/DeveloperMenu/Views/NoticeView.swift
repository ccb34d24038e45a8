import FlagModel
import TerminalUI

/// The second line: the filter with its count, or an error until it is fixed, which may need some more lines.
struct NoticeView {
    let state: MenuState
    let row: Int

    func draw(on frame: inout Frame) {
        switch state.notice {
        case .filter: drawFilter(on: &frame)
        case .problem(let text, let remedy): drawProblem(text, remedy, on: &frame)
        case nil: break
        }
    }

    /// The number of lines.
    static func rows(for state: MenuState) -> Int {
        switch state.notice {
        case .filter: 1
        case .problem(let text, let remedy): problemLines(text, remedy, state).count
        case nil: 0
        }
    }

    private func drawFilter(on frame: inout Frame) {
        let width = frame.size.columns
        frame.write(count, row: row, endingBefore: width - 1, style: state.theme.faint)
        guard state.mode == .filter || !state.list.filter.text.isEmpty else { return }
        frame.write("/", at: Position(row: row, column: 1), limit: 1, style: state.theme.key)
        field(columns: width).draw(row: row, on: &frame)
    }

    private func drawProblem(_ text: String, _ remedy: String, on frame: inout Frame) {
        frame.write(remedy, row: row, endingBefore: frame.size.columns - 1, style: state.theme.key)
        for (index, line) in Self.problemLines(text, remedy, state).enumerated() {
            frame.write(line, at: Position(row: row + index, column: 1), style: state.theme.error)
        }
    }

    /// What happened, what is preserved and what to do: a truncated sentence loses its most important part.
    private static func problemLines(_ text: String, _ remedy: String, _ state: MenuState) -> [String] {
        let columns = state.size.columns - (remedy.isEmpty ? 2 : DisplayText.width(remedy) + 4)
        let limit = state.size.rows < Layout.roomy.rows ? 2 : 3
        let lines = DisplayText.wrapped("! \(text)", columns: columns, charset: state.charset)
        guard lines.count > limit else { return lines }
        let rest = lines[(limit - 1)...].joined(separator: " ")
        return lines.prefix(limit - 1) + [DisplayText.clipped(rest, to: columns, charset: state.charset)]
    }

    /// How many flags are listed, and why not all.
    private var count: String {
        let total = state.board.placeCount
        let order = state.list.order == .catalog ? [] : [state.list.order.words]
        let hidden = state.list.showsOverriddenOnly ? ["overridden only"] : []
        let found = state.list.isSearching ? "searching \(total)" : "\(state.list.flagCount) of \(total)"
        let marked = state.list.marks.isEmpty ? [] : ["\(state.markedCount) marked"]
        return (marked + order + hidden + [found]).joined(separator: ", ")
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
        case problem(String, remedy: String)
    }

    var notice: Notice? {
        if mode == .filter { return .filter }
        if let problem = store.error {
            return .problem(problem, remedy: store.unsaved.isEmpty ? "" : "\(keyWord(of: .retry)) save again")
        }
        if let problem = watchErrors.first { return .problem(problem, remedy: "") }
        if let problem = remoteProblems.first { return .problem(problem, remedy: "\(keyWord(of: .fetch)) fetch") }
        return isNarrowed || list.order != .catalog || !list.marks.isEmpty ? .filter : nil
    }

    /// Errors of the remote values until they are fixed, a sentence each.
    var remoteProblems: [String] {
        guard remote.showsFormerContext, remote.fetch == nil else { return remote.errors }
        let first = "The values shown are for the previous context."
        guard let problem = remote.errors.first else { return [first] }
        return ["\(first) \(problem)"] + remote.errors.dropFirst()
    }
}
