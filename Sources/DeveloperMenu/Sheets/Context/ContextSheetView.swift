import FlagModel
import TerminalUI

/// Draws the context sheet: evaluation contexts and conditions and, below them, a note on the selected row.
struct ContextSheetView {
    let state: MenuState
    private let rows: [ContextRow]
    private let columns: Int
    private let box: SheetFrame
    /// The number of rows of the note.
    private let noteRows: Int

    init(state: MenuState) {
        self.state = state
        rows = ContextRow.rows(of: state.remote.evaluations)
        columns = min(76, state.size.columns - 4)
        let room = SheetFrame.room(on: state.size)
        noteRows = room > 8 ? 3 : room > 5 ? 2 : room > 3 ? 1 : 0
        box = SheetFrame(
            lines: rows.count + noteRows + (noteRows > 2 ? 1 : 0), columns: columns, on: state.size)
    }

    func draw(on frame: inout Frame) -> Position? {
        box.draw(title: "Context", state: state, on: &frame)
        let listRows = max(1, box.inside.rows - noteRows - (noteRows > 2 ? 1 : 0))
        let selected = state.selectedContextRow
        let selectedIndex = rows.firstIndex { $0 == selected } ?? 0
        let scrolled = ScrolledLines(count: rows.count, room: listRows, around: selectedIndex)
        var cursor: Position?
        for (line, row) in rows[scrolled.range].enumerated() {
            let position = Position(row: box.inside.row + line, column: box.inside.column)
            if row == selected { cursor = position }
            draw(row, isSelected: row == selected, at: position, on: &frame)
        }
        box.drawScrollHint(beside: box.inside.top(listRows).rowRange, scrolled, on: &frame)
        drawNote(selected, in: box.inside.droppingTop(box.inside.rows - noteRows), on: &frame)
        return cursor
    }

    private func draw(_ row: ContextRow, isSelected: Bool, at position: Position, on frame: inout Frame) {
        if isSelected { frame.fillSelection(row: position.row, in: box.inside, state.theme) }
        frame.write(
            line(row, isSelected: isSelected), row: position.row, column: position.column,
            columns: box.inside.columns, restyled: isSelected ? state.theme.selection : nil)
    }

    private func line(_ row: ContextRow, isSelected: Bool) -> StyledLine {
        let pointer = isSelected ? ">" : " "
        switch row {
        case .source(let name): return StyledLine(name, state.theme.title)
        case .heading(let words): return StyledLine(words, state.theme.header)
        case .add:
            return StyledLine("\(pointer) + ", state.theme.key).adding(state.contextWords(row).name, state.theme.faint)
        case .member:
            let words = state.contextWords(row)
            let isOwn = state.member(row)?.isOwn == true
            let line = StyledLine("\(pointer)   ").adding(name(words.name)).adding("  \(setting(words.setting))")
            return isOwn ? line.adding("yours", state.theme.overridden) : line
        case .condition:
            let words = state.contextWords(row)
            let condition = state.condition(row)
            let applies = condition?.applies == true
            let mark = applies ? state.charset.fullCircle : state.charset.emptyCircle
            let style = applies ? state.theme.title : state.theme.plain
            return StyledLine("\(pointer) \(mark) ", style).adding(name(words.name), style)
                .adding("  ")
                .adding(condition?.word ?? "", condition?.forced == nil ? state.theme.plain : state.theme.overridden)
                .adding(setting(condition?.word ?? "", onlyPadding: true), state.theme.faint)
                .adding(words.setting, state.theme.faint)
        }
    }

    /// A value or a state, padded to the width of its column.
    ///
    /// - Parameter onlyPadding: whether to return the padding without the text.
    private func setting(_ text: String, onlyPadding: Bool = false) -> String {
        let width = DisplayText.width(text, charset: state.charset)
        let padding = String(repeating: " ", count: max(2, (columns < 60 ? 0 : Self.settingColumns) - width))
        return onlyPadding ? padding : text + padding
    }

    /// The width of the column of values and states: the longest state, `unknown, so off`, and a gap.
    private static let settingColumns = 17

    /// A name, padded or clipped to the width of its column.
    private func name(_ name: String) -> String {
        DisplayText.padded(name, to: nameColumns, charset: state.charset)
    }

    private var nameColumns: Int {
        let widest = rows.filter { $0.source != nil }.map {
            DisplayText.width(state.contextWords($0).name, charset: state.charset)
        }.max()
        return min(widest ?? 0, columns / 2 - 4)
    }

    private func drawNote(_ row: ContextRow?, in region: Region, on frame: inout Frame) {
        guard let row else { return }
        let text = WrappedText(columns: region.columns, charset: state.charset)
        frame.write(text.lines(of: state.contextWords(row).note, atMost: noteRows, state.theme.faint), in: region)
    }
}

extension ContextSheet {
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        ContextSheetView(state: state).draw(on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        var (lines, choices): ([String], [String]) = ([], [])
        for row in ContextRow.rows(of: state.remote.evaluations) {
            switch row {
            case .source(let name): lines.append("\(name).")
            case .heading(let words): lines.append("\(words).")
            case .add, .member, .condition:
                choices.append(Self.printed(row, state))
                lines.append("\(choices.count). \(choices[choices.count - 1])")
            }
        }
        lines.append("A number edits a member or sets a condition. Enter goes back.")
        return LineModeSheet(lines: lines, choices: choices, prompt: "Context: ")
    }

    private static func printed(_ row: ContextRow, _ state: MenuState) -> String {
        let words = state.contextWords(row)
        let condition = state.condition(row)?.word
        let settings = [condition, words.setting.isEmpty ? nil : words.setting].compactMap { $0 }
        let setting = settings.isEmpty ? "" : ": \(settings.joined(separator: ", "))"
        return "\(words.name)\(setting). \(words.note.hasSuffix(".") ? words.note : "\(words.note).")"
    }
}
