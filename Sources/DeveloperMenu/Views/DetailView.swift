import FlagModel
import FlagQueries
import TerminalUI

/// The pane to the right of the list, with the explanation of the selected flag.
struct DetailView {
    let state: MenuState
    let region: Region

    func draw(on frame: inout Frame) {
        frame.drawEdge(beside: region.rowRange, column: region.column - 1, style: state.theme.faint)
        let columns = region.columns - 3
        let lines =
            state.selected.map { ExplanationText(facts: $0, state: state, columns: columns).lines }
            ?? state.list.selectedPart.map { partLines($0, columns: columns) }
            ?? state.list.selectedGroup.map { [StyledLine($0.name(on: state.board), state.theme.title)] } ?? []
        let shown = lines.prefix(lines.count > region.rows ? max(0, region.rows - 1) : lines.count)
        let more = "\(state.keyWord(of: .explain)) shows \(lines.count - shown.count) more lines"
        frame.write(
            lines.count > shown.count ? shown + [StyledLine(more, state.theme.faint)] : shown,
            in: Region(row: region.row, column: region.column + 2, rows: region.rows, columns: columns))
    }

    /// A condition or an attribute that the tester changed.
    private func partLines(_ part: ContextPart, columns: Int) -> [StyledLine] {
        let words = PartWords(part, state)
        let text = WrappedText(columns: columns, charset: state.charset)
        return text.lines(of: words.name, state.theme.title)
            + text.lines(of: "\(words.value), \(words.note)", state.theme.changedValue)
            + words.details.flatMap { text.lines(of: $0, state.theme.faint) }
    }
}

extension Frame {
    /// Draws the vertical line between two panes.
    fileprivate mutating func drawEdge(beside rows: Range<Int>, column: Int, style: Style) {
        for row in rows { write(charset.verticalLine, at: Position(row: row, column: column), style: style) }
    }
}

/// The left pane: the categories, with a mark on the category of the selected flag.
struct CategoriesView {
    let state: MenuState
    let region: Region

    func draw(on frame: inout Frame) {
        frame.drawEdge(beside: region.rowRange, column: region.columnRange.upperBound, style: state.theme.faint)
        let lines = self.lines
        let current = lines.firstIndex { $0.isCurrent } ?? 0
        let scrolled = ScrolledLines(count: lines.count, room: region.rows, around: current)
        for (row, line) in zip(region.rowRange, lines[scrolled.range]) { draw(line, row: row, on: &frame) }
    }

    private typealias Line = (name: String, flagCount: Int, overrideCount: Int, isCurrent: Bool)

    /// A line for each category, and a last one for unlisted overrides, if there are any.
    private var lines: [Line] {
        let current = state.list.selectedCategory
        var lines: [Line] = state.board.catalog.categories.enumerated().map { index, category in
            let overrideCount = state.board.overriddenPlaces(in: category.items).count
            return (category.name.string, category.items.count, overrideCount, index == current)
        }
        let unlisted = state.board.unlistedKeys.count
        if unlisted > 0 {
            let overrideCount = state.board.overriddenPlaces(in: state.board.unlistedPlaces).count
            let isCurrent = current == nil && state.list.selectedPlace != nil
            lines.append((FlagRows.unlistedHeading.string, unlisted, overrideCount, isCurrent))
        }
        return lines
    }

    private func draw(_ line: Line, row: Int, on frame: inout Frame) {
        let isOverridden = line.overrideCount > 0
        let count = "\(isOverridden ? line.overrideCount : line.flagCount)"
        let end = region.column + region.columns - 1
        frame.write(count, row: row, endingBefore: end, style: isOverridden ? state.theme.title : state.theme.faint)
        if isOverridden {
            let marker = Position(row: row, column: end - count.count - 2)
            frame.write(state.charset.bar, at: marker, limit: 1, style: state.theme.bar)
        }
        let room = region.columns - 7 - count.count
        let mark = line.isCurrent ? ">" : " "
        frame.write(
            clipping: "\(mark) \(line.name)", row: row, column: region.column + 1, columns: room,
            style: line.isCurrent ? state.theme.title : state.theme.plain)
    }
}

/// The line above the footer: the last message, or a summary of the selected flag. A long message covers the end of the
/// list without scrolling the list, and possibly the footer.
struct MessageView {
    let state: MenuState

    /// The hint while a filter is typed; `nil` if there is none.
    private var filterHint: String? { state.mode == .filter ? state.list.filterHint : nil }

    /// Whether there is a message or a hint.
    var hasText: Bool { state.message != nil || filterHint != nil }

    func draw(on frame: inout Frame) {
        let (columns, layout) = (frame.size.columns - 2, state.layout)
        guard layout.messageRow != nil || hasText else { return }
        let row = layout.footerRow - rows + (FooterView(state: state).isShown ? 0 : 1)
        if let message = state.message {
            let lines = lines(of: message)
            frame.fill(Region(row: row, column: 0, rows: lines.count, columns: frame.size.columns), style: .plain)
            frame.write(
                lines.map { StyledLine($0, state.theme.style(of: message.kind)) },
                in: Region(row: row, column: 1, rows: lines.count, columns: columns))
        } else if let hint = filterHint {
            frame.write(clipping: hint, row: row, column: 1, columns: columns, style: state.theme.plain)
        } else {
            // The detail pane shows all of the flag.
            let showsFlag = layout.detail == nil
            draw(showsFlag ? state.selected : nil, row: row, columns: columns, on: &frame)
            guard showsFlag, let part = state.list.selectedPart else { return }
            let details = PartWords(part, state).details.joined(separator: " \(state.charset.separator) ")
            frame.write(clipping: details, row: row, column: 1, columns: columns, style: state.theme.faint)
        }
    }

    /// The number of lines that the message needs; 1 without a message.
    var rows: Int { max(1, state.message.map(lines(of:))?.count ?? 1) }

    /// The message in lines. Over the list, a message may have several lines. If it needs more, its last line says
    /// where to read the rest. Under a sheet, a message has one line.
    private func lines(of message: MenuMessage) -> [String] {
        let columns = state.size.columns - 2
        let isOverList = state.mode == .list || state.mode == .filter
        guard isOverList, columns > 10, message.text.utf8.count > columns else { return [message.text] }
        let limit = Layout.isCompact(state.size) ? min(3, 1 + rowsBelowSelection) : 2
        let more =
            limit == 1 ? " (\(state.keyName(of: .messages)))" : " \(state.keyWord(of: .messages)) shows all of it."
        return WrappedText(columns: columns, charset: state.charset)
            .lines(of: message.text, filling: limit, before: more)
    }

    /// The number of list rows that a message may cover: the rows below the selected flag.
    var rowsBelowSelection: Int {
        guard let selection = state.list.selection else { return state.layout.list.rows }
        return max(0, state.list.top + state.layout.list.rows - 1 - selection)
    }

    /// Draws the summary of a flag, and the position of the flag in the list.
    private func draw(_ facts: FlagFacts?, row: Int, columns: Int, on frame: inout Frame) {
        let position = state.list.position.map { "\($0.number)/\($0.count)" } ?? ""
        frame.write(position, row: row, endingBefore: columns + 1, style: state.theme.faint)
        guard let facts else { return }
        frame.write(summary(of: facts), row: row, column: 1, columns: columns - position.count - 2)
    }

    /// The key, the type, the state and the description of a flag.
    private func summary(of facts: FlagFacts) -> StyledLine {
        let faint = state.theme.faint
        let dot = " \(state.charset.separator) "
        let matched = MatchedText(state)
        var parts: [StyledLine] = []
        if let reason = state.apps.reasonNotTaken(facts) {
            parts.append(StyledLine(reason, state.theme.changedValue))
        }
        parts.append(matched.line(facts.key, style: faint))
        parts.append(StyledLine(facts.type.rawValue, faint))
        parts += facts.additions(at: state.now).map { StyledLine($0, faint) }
        if let sentence = facts.state.sentence {
            parts.append(StyledLine(sentence, state.theme.style(of: facts.state)))
        }
        if let details = facts.item?.details, !details.isEmpty {
            parts.append(matched.line(details.string, .prose, style: faint))
        }
        return parts.dropFirst().reduce(parts.first ?? StyledLine()) { $0.adding(dot, faint) + $1 }
    }
}
