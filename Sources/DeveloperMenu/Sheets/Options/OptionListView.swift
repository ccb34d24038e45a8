import FlagModel
import FlagQueries
import TerminalUI

/// Draws the option list of a flag: the description, then the options, with a check mark on the value in use and words
/// for the remote and the default value.
///
/// The selected option has as many lines as it needs, any other option has one line.
struct OptionListView {
    let state: MenuState
    let options: OptionList
    let facts: FlagFacts

    // Stored, as every line uses these values.
    private let choices: [OptionList.Choice]
    private let columns: Int
    private let widestValue: Int

    /// The number of columns before a value, for the check mark and the option's number.
    private static let indent = 5
    /// The maximum number of lines of a value.
    private static let valueLimit = 6

    init(state: MenuState, options: OptionList, facts: FlagFacts) {
        (self.state, self.options, self.facts) = (state, options, facts)
        func width(_ text: String) -> Int { DisplayText.width(text, charset: state.charset) }
        choices = OptionList.choices(of: facts)
        widestValue = choices.map { width($0.value.orQuotes) }.max() ?? 0
        let widest = choices.map { width($0.value) + facts.marks(of: $0).count + 10 }.max() ?? 0
        columns = min(max(56, widest + 4), min(100, state.size.columns - 4))
    }

    /// The lines with the description and the key. They fill at most half of the sheet, or more if there are few
    /// options.
    ///
    /// - Parameter lines: the minimum number of lines that the options need.
    private func heading(besides lines: Int) -> [StyledLine] {
        let sheetRows = SheetFrame.room(on: state.size)
        let room = sheetRows - max(lines, min(choices.count, sheetRows / 2))
        let text = WrappedText(columns: columns - 1, charset: state.charset)
        let details = facts.item?.details?.string ?? ""
        let summary = details.isEmpty ? [] : text.lines(of: details, atMost: max(0, room - 2))
        let dot = " \(state.charset.separator) "
        let key = facts.item?.title == nil ? facts.type.rawValue : "\(facts.key)\(dot)\(facts.type.rawValue)"
        return Array((summary + [StyledLine(key, state.theme.faint), StyledLine()]).prefix(max(0, room)))
    }

    /// The lines with the key that clears the override; empty if there is no override, or no room below `lines` lines.
    private func clearHint(below lines: Int) -> [StyledLine] {
        // On a small screen the options get the room, as the footer shows the same key.
        guard facts.override != nil, lines + 2 <= SheetFrame.room(on: state.size) else { return [] }
        let key = state.keyName(of: .useRemote, in: .options)
        return [StyledLine(), StyledLine("  \(key)  ", state.theme.key).adding(facts.useRemoteText)]
    }

    /// The layout of the list.
    private struct Arrangement {
        let sheet: SheetFrame
        let heading: [StyledLine]
        let clearHint: [StyledLine]
        /// The visible rows of options, each with the index of its option.
        let rows: [(index: Int, line: StyledLine)]
        /// The row of the screen on which the options begin.
        let top: Int
        let hasMoreAbove: Bool
        let hasMoreBelow: Bool
    }

    private var arrangement: Arrangement {
        let selected = options.selectedIndex(in: choices)
        let selectedLines = choices.indices.contains(selected) ? wholeLines(selected) : []
        let count = choices.count + max(0, selectedLines.count - 1)
        let heading = heading(besides: selectedLines.count + min(1, choices.count - 1))
        let clearHint = clearHint(below: heading.count + count)
        let sheet = SheetFrame(lines: heading.count + count + clearHint.count, columns: columns, on: state.size)
        let room = max(1, sheet.inside.rows - heading.count - clearHint.count)
        // Rows for the other options, half of them above the selected one and half below, if there are enough.
        let otherRows = max(0, room - selectedLines.count)
        let first = max(0, min(selected - otherRows / 2, choices.count - 1 - otherRows))
        let rows = choices.indices.dropFirst(first).prefix(otherRows + 1).flatMap { index in
            (index == selected ? selectedLines : [line(index)]).map { (index, $0) }
        }
        return Arrangement(
            sheet: sheet, heading: heading, clearHint: clearHint, rows: Array(rows.prefix(room)),
            top: sheet.inside.row + heading.count, hasMoreAbove: first > 0,
            hasMoreBelow: first + otherRows + 1 < choices.count)
    }

    /// The area of each option, for the mouse.
    var areas: [MouseTarget.Area] {
        let layout = arrangement
        let inside = layout.sheet.inside
        return layout.rows.enumerated().map { line, row in
            let region = Region(row: layout.top + line, column: inside.column, rows: 1, columns: inside.columns)
            return MouseTarget.Area(region: region, target: .option(row.index))
        }
    }

    /// Draws the sheet.
    ///
    /// - Returns: the cursor position at the number of the selected option.
    func draw(on frame: inout Frame) -> Position? {
        let layout = arrangement
        let selected = options.selectedIndex(in: choices)
        layout.sheet.draw(title: facts.name, state: state, on: &frame)
        let inside = layout.sheet.inside
        frame.write(layout.heading, in: inside)
        let end = layout.top + layout.rows.count
        layout.sheet.drawScrollHint(
            beside: layout.top..<end, above: layout.hasMoreAbove, below: layout.hasMoreBelow, on: &frame)
        for (offset, row) in layout.rows.enumerated() {
            draw(row.line, isSelected: row.index == selected, row: layout.top + offset, in: inside, on: &frame)
        }
        frame.write(layout.clearHint, in: inside.droppingTop(end - inside.row))
        return layout.rows.firstIndex { $0.index == selected }.map {
            Position(row: layout.top + $0, column: inside.column + Self.numberColumn)
        }
    }

    /// The column of the cursor: behind the check mark, so that the cursor does not hide the mark.
    private static let numberColumn = 2

    private func draw(_ line: StyledLine, isSelected: Bool, row: Int, in inside: Region, on frame: inout Frame) {
        if isSelected { frame.fillSelection(row: row, in: inside, state.theme) }
        frame.write(
            line, row: row, column: inside.column, columns: inside.columns,
            restyled: isSelected ? state.theme.selection : nil)
    }

    /// The number of an option, after a check mark if the option is in use.
    private func label(_ index: Int, isInUse: Bool) -> StyledLine {
        StyledLine(isInUse ? state.charset.checkMark : " ", state.theme.title)
            .adding(" \(index < 9 ? "\(index + 1)" : " ")  ", state.theme.faint)
    }

    /// An option on one line: the marks get the room that they need, the value gets the remaining columns.
    private func line(_ index: Int) -> StyledLine {
        let choice = choices[index]
        let isInUse = facts.isSame(choice.value, facts.value)
        let marks = facts.marks(of: choice)
        let room = columns - DisplayText.width(marks, charset: state.charset) - Self.indent - 2
        let value = DisplayText.padded(
            choice.value.orQuotes, to: min(max(8, widestValue), max(8, room)), charset: state.charset)
        return label(index, isInUse: isInUse).adding(value, isInUse ? state.theme.title : .plain)
            .adding("  \(marks)", state.theme.faint)
    }

    /// An option in as many lines as it needs.
    private func wholeLines(_ index: Int) -> [StyledLine] {
        let choice = choices[index]
        let marks = facts.marks(of: choice)
        let width = DisplayText.width(choice.value, charset: state.charset)
        let markWidth = DisplayText.width(marks, charset: state.charset)
        if max(8, width) + Self.indent + (marks.isEmpty ? 0 : markWidth + 2) <= columns { return [line(index)] }
        let isInUse = facts.isSame(choice.value, facts.value)
        let text = WrappedText(columns: columns - Self.indent, charset: state.charset)
        let margin = StyledLine(String(repeating: " ", count: Self.indent))
        let style = isInUse ? state.theme.title : .plain
        let value = text.pieces(of: choice.value, atMost: Self.valueLimit).enumerated().map {
            ($0 == 0 ? label(index, isInUse: isInUse) : margin).adding($1, style)
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
        let sentences = FlagSentences(state.facts(of: key))
        let choices = Self.choices(of: sentences.facts).map(sentences.option)
        return LineModeSheet(
            before: [sentences.brief], numbering: choices, after: [sentences.hint(in: state)], prompt: "Option: ")
    }
}
