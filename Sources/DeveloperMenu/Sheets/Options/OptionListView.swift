import FlagModel
import TerminalUI

/// The option list of a flag: description above, a check on the value in use, remote's and default's options marked.
///
/// Every option has a line; the selected one as many as it needs.
struct OptionListView {
    let state: MenuState
    let options: OptionList
    let facts: FlagFacts

    // Computed a single time, as every line uses them.
    private let choices: [OptionList.Choice]
    private let columns: Int
    private let widestValue: Int

    /// Columns of check mark and number before a value.
    private static let indent = 5
    /// The most lines of a value.
    private static let valueLimit = 6

    init(state: MenuState, options: OptionList, facts: FlagFacts) {
        (self.state, self.options, self.facts) = (state, options, facts)
        func width(_ text: String) -> Int { DisplayText.width(text, charset: state.charset) }
        choices = OptionList.choices(of: facts)
        widestValue = choices.map { width($0.value.orQuotes) }.max() ?? 0
        let widest = choices.map { width($0.value) + facts.marks(of: $0).count + 10 }.max() ?? 0
        columns = min(max(56, widest + 4), min(100, state.size.columns - 4))
    }

    /// Description and key, in the room that the options leave: half of it, or more if they are few.
    private func heading(besides lines: Int) -> [StyledLine] {
        let whole = SheetFrame.room(on: state.size)
        let room = whole - max(lines, min(choices.count, whole / 2))
        let text = WrappedText(columns: columns - 1, charset: state.charset)
        let details = facts.item?.details?.string ?? ""
        let summary = details.isEmpty ? [] : text.lines(of: details, atMost: max(0, room - 2))
        let dot = " \(state.charset.separator) "
        let key = facts.item?.title == nil ? facts.type.rawValue : "\(facts.key)\(dot)\(facts.type.rawValue)"
        return Array((summary + [StyledLine(key, state.theme.faint), StyledLine()]).prefix(max(0, room)))
    }

    private func ending(below lines: Int) -> [StyledLine] {
        // The footer says it too, so on a small screen the options get the room.
        guard facts.override != nil, lines + 2 <= SheetFrame.room(on: state.size) else { return [] }
        let key = state.keyName(of: .useRemote, in: .options)
        return [StyledLine(), StyledLine("  \(key)  ", state.theme.key).adding(facts.useRemoteText)]
    }

    /// The layout of the list.
    private struct Arrangement {
        let sheet: SheetFrame
        let heading: [StyledLine]
        let ending: [StyledLine]
        /// The visible rows of options: which option, and its line.
        let rows: [(index: Int, line: StyledLine)]
        /// The row of the first of them.
        let top: Int
        let hasMoreAbove: Bool
        let hasMoreBelow: Bool
    }

    private var arrangement: Arrangement {
        let selected = options.selectedIndex(in: choices)
        let shown = choices.indices.contains(selected) ? wholeLines(selected) : []
        let count = choices.count + max(0, shown.count - 1)
        let heading = heading(besides: shown.count + min(1, choices.count - 1))
        let ending = ending(below: heading.count + count)
        let sheet = SheetFrame(lines: heading.count + count + ending.count, columns: columns, on: state.size)
        let room = max(1, sheet.inside.rows - heading.count - ending.count)
        // Rows for the other options, half of them above the selected one and half below, if there are enough.
        let others = max(0, room - shown.count)
        let first = max(0, min(selected - others / 2, choices.count - 1 - others))
        let rows = choices.indices.dropFirst(first).prefix(others + 1).flatMap { index in
            (index == selected ? shown : [line(index)]).map { (index, $0) }
        }
        return Arrangement(
            sheet: sheet, heading: heading, ending: ending, rows: Array(rows.prefix(room)),
            top: sheet.inside.row + heading.count, hasMoreAbove: first > 0,
            hasMoreBelow: first + others + 1 < choices.count)
    }

    /// The area of each option, for the mouse.
    var areas: [MouseTarget.Area] {
        let parts = arrangement
        let inside = parts.sheet.inside
        return parts.rows.enumerated().map { line, row in
            let region = Region(row: parts.top + line, column: inside.column, rows: 1, columns: inside.columns)
            return MouseTarget.Area(region: region, target: .option(row.index))
        }
    }

    /// Draws the sheet.
    ///
    /// - Returns: the cursor position at the number of the selected option.
    func draw(on frame: inout Frame) -> Position? {
        let parts = arrangement
        let selected = options.selectedIndex(in: choices)
        parts.sheet.draw(title: facts.name, state: state, on: &frame)
        let inside = parts.sheet.inside
        frame.write(parts.heading, in: inside)
        let end = parts.top + parts.rows.count
        parts.sheet.drawScrollHint(
            beside: parts.top..<end, above: parts.hasMoreAbove, below: parts.hasMoreBelow, on: &frame)
        for (offset, row) in parts.rows.enumerated() {
            draw(row.line, isSelected: row.index == selected, row: parts.top + offset, in: inside, on: &frame)
        }
        frame.write(parts.ending, in: inside.droppingTop(end - inside.row))
        return parts.rows.firstIndex { $0.index == selected }.map {
            Position(row: parts.top + $0, column: inside.column + Self.numberColumn)
        }
    }

    /// After the check mark, which the cursor would hide.
    private static let numberColumn = 2

    private func draw(_ line: StyledLine, isSelected: Bool, row: Int, in inside: Region, on frame: inout Frame) {
        if isSelected { frame.fillSelection(row: row, in: inside, state.theme) }
        frame.write(
            line, row: row, column: inside.column, columns: inside.columns,
            restyled: isSelected ? state.theme.selection : nil)
    }

    private func label(_ index: Int, isNow: Bool) -> StyledLine {
        StyledLine(isNow ? state.charset.checkMark : " ", state.theme.title)
            .adding(" \(index < 9 ? "\(index + 1)" : " ")  ", state.theme.faint)
    }

    /// An option on one line: its marks get the room they need, the value the rest.
    private func line(_ index: Int) -> StyledLine {
        let choice = choices[index]
        let isNow = facts.isSame(choice.value, facts.value)
        let marks = facts.marks(of: choice)
        let room = columns - DisplayText.width(marks, charset: state.charset) - Self.indent - 2
        let value = DisplayText.padded(
            choice.value.orQuotes, to: min(max(8, widestValue), max(8, room)), charset: state.charset)
        return label(index, isNow: isNow).adding(value, isNow ? state.theme.title : .plain)
            .adding("  \(marks)", state.theme.faint)
    }

    /// An option in as many lines as it needs.
    private func wholeLines(_ index: Int) -> [StyledLine] {
        let choice = choices[index]
        let marks = facts.marks(of: choice)
        let width = DisplayText.width(choice.value, charset: state.charset)
        let markWidth = DisplayText.width(marks, charset: state.charset)
        if max(8, width) + Self.indent + (marks.isEmpty ? 0 : markWidth + 2) <= columns { return [line(index)] }
        let isNow = facts.isSame(choice.value, facts.value)
        let text = WrappedText(columns: columns - Self.indent, charset: state.charset)
        let margin = StyledLine(String(repeating: " ", count: Self.indent))
        let style = isNow ? state.theme.title : .plain
        let value = text.pieces(of: choice.value, atMost: Self.valueLimit).enumerated().map {
            ($0 == 0 ? label(index, isNow: isNow) : margin).adding($1, style)
        }
        guard !marks.isEmpty else { return value }
        let notes = DisplayText.wrapped(marks, columns: text.columns, charset: state.charset)
        return value + notes.map { margin.adding($0, state.theme.faint) }
    }
}

extension OptionList {
    func draw(in state: MenuState, on frame: inout Frame) -> Position? { view(in: state).draw(on: &frame) }

    func mouseTargets(in state: MenuState) -> [MouseTarget.Area] { view(in: state).areas }

    private func view(in state: MenuState) -> OptionListView {
        OptionListView(state: state, options: self, facts: state.facts(of: key))
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let sentences = FlagSentences(state.facts(of: key), in: state)
        let choices = Self.choices(of: sentences.facts).map(sentences.option)
        return LineModeSheet(
            before: [sentences.brief], numbering: choices, after: [sentences.hint], prompt: "Option: ")
    }
}
