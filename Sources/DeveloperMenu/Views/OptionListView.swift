import FlagModel
import TerminalUI

/// The option list of a flag: description above, a check on the value in use, remote's and default's options marked.
struct OptionListView {
    let state: MenuState
    let options: OptionList
    let facts: FlagFacts

    private var choices: [OptionList.Choice] { OptionList.choices(of: facts) }

    private var columns: Int { min(max(56, widestChoice + 4), state.size.columns - 4) }

    private var widestChoice: Int {
        choices.map { choice in
            DisplayText.width(choice.value, charset: state.charset) + marks(choice).count + 10
        }.max() ?? 0
    }

    private func marks(_ choice: OptionList.Choice) -> String {
        OptionMarks(choice, facts: facts, isNow: facts.isSame(choice.value, facts.value)).text
    }

    private var heading: [StyledLine] {
        let details = facts.item?.details.map {
            DisplayText.wrapped($0.string, columns: columns - 1, charset: state.charset)
        }
        let summary = (details ?? []).prefix(max(1, state.size.rows - choices.count - 9)).map { StyledLine($0) }
        let key = StyledLine(facts.key, state.theme.faint).adding(
            " \(state.charset.separator) \(facts.type.rawValue)", state.theme.faint)
        return summary + [key, StyledLine()]
    }

    private var ending: [StyledLine] {
        // The footer says it too, so on a small screen the options have the room.
        let whole = SheetFrame(lines: .max - 2, columns: columns, on: state.size)
        guard facts.override != nil, heading.count + choices.count + 2 <= whole.inside.rows else { return [] }
        return [StyledLine(), StyledLine("  x  ", state.theme.key).adding(UseRemote(facts: facts).text)]
    }

    private var sheet: SheetFrame {
        SheetFrame(lines: heading.count + choices.count + ending.count, columns: columns, on: state.size)
    }

    /// Options that are on the screen.
    private var room: Int { max(1, sheet.inside.rows - heading.count - ending.count) }

    /// The first of them.
    private var first: Int {
        max(0, min(options.selectedIndex(in: choices) - room / 2, choices.count - room))
    }

    /// The option that is drawn at a position.
    func choice(at position: Position) -> Int? {
        let inside = sheet.inside
        guard (inside.column..<inside.column + inside.columns).contains(position.column) else { return nil }
        let line = position.row - inside.row - heading.count
        return (0..<room).contains(line) && choices.indices.contains(first + line) ? first + line : nil
    }

    /// Draws the sheet.
    ///
    /// - Returns: where the hardware cursor belongs: on the selected option.
    func draw(on frame: inout Frame) -> Position? {
        let sheet = self.sheet
        sheet.draw(title: facts.name, state: state, on: &frame)
        let inside = sheet.inside
        let room = self.room
        let selected = options.selectedIndex(in: choices)
        let first = self.first
        var row = inside.row
        func put(_ line: StyledLine) {
            guard row < inside.row + inside.rows else { return }
            frame.write(line, row: row, column: inside.column, columns: inside.columns)
            row += 1
        }
        heading.forEach(put)
        sheet.drawScrollHint(
            beside: row..<row + min(room, choices.count), above: first > 0, below: first + room < choices.count,
            on: &frame)
        var cursor: Position?
        for index in choices.indices.dropFirst(first).prefix(room) {
            if index == selected { cursor = Position(row: row, column: inside.column) }
            draw(index, isSelected: index == selected, row: row, in: inside, on: &frame)
            row += 1
        }
        ending.forEach(put)
        return cursor
    }

    private func draw(_ index: Int, isSelected: Bool, row: Int, in inside: Region, on frame: inout Frame) {
        let choice = choices[index]
        let isNow = facts.isSame(choice.value, facts.value)
        if isSelected {
            frame.fill(
                Region(row: row, column: inside.column - 1, rows: 1, columns: inside.columns + 2),
                style: state.theme.selection)
        }
        let number = index < 9 ? "\(index + 1)" : " "
        let marks = marks(choice)
        let shown = choice.value.isEmpty ? "\"\"" : choice.value
        let room = inside.columns - DisplayText.width(marks, charset: state.charset) - 9
        let value = DisplayText.padded(shown, to: min(max(8, widestValue), max(4, room)), charset: state.charset)
        let line = StyledLine(isNow ? state.charset.checkMark : " ", state.theme.title)
            .adding(" \(number)  ", state.theme.faint).adding(value, isNow ? state.theme.title : .plain)
            .adding("  \(marks)", state.theme.faint)
        frame.write(
            line, row: row, column: inside.column, columns: inside.columns,
            restyled: isSelected ? state.theme.selection : nil
        )
    }

    private var widestValue: Int {
        choices.map { DisplayText.width($0.value.isEmpty ? "\"\"" : $0.value, charset: state.charset) }.max() ?? 0
    }
}
