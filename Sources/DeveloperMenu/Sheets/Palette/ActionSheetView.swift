import FlagModel
import FlagQueries
import TerminalUI

/// Draws help or the palette: the filter line, the matching actions, and a note on the selected one.
struct ActionSheetView {
    let state: MenuState
    let sheet: ActionSheet

    private var isFiltered: Bool { !sheet.filter.text.isEmpty }

    func draw(on frame: inout Frame) -> Position? {
        let columns = min(84, state.size.columns - 4)
        let rows = self.rows
        let box = SheetFrame(lines: max(1, rows.count) + 4, columns: columns, on: frame.size)
        box.draw(title: title, state: state, on: &frame)
        let inside = box.inside
        let sign = sheet.kind == .palette ? ":" : "/"
        frame.write(sign, at: Position(row: inside.row, column: inside.column), limit: 1, style: state.theme.key)
        let field = FieldLine(
            sheet.filter, column: inside.column + 2, columns: inside.columns - 16, charset: state.charset)
        field.draw(row: inside.row, on: &frame)
        let count = "\(sheet.entries.count) of \(sheet.total)"
        frame.write(count, row: inside.row, endingBefore: inside.column + inside.columns, style: state.theme.faint)
        // On a small screen the entries get the lines of the gaps.
        let gap = state.size.rows < Layout.roomy.rows ? 0 : 1
        let middle = Region(
            row: inside.row + 1 + gap, column: inside.column, rows: inside.rows - 2 - 2 * gap, columns: inside.columns)
        draw(rows, in: middle, box, on: &frame)
        drawNote(row: inside.row + inside.rows - 1, inside, on: &frame)
        return Position(row: inside.row, column: field.cursorColumn)
    }

    /// The title of the sheet. The palette's title names the selected flag, as actions apply to this flag.
    private var title: String {
        guard sheet.kind == .palette else { return "Help" }
        return state.selected.map { "Actions \(state.charset.separator) \($0.name)" } ?? "Actions"
    }

    /// Draws the last line: why the selected entry is disabled, its equivalent command, or the part where it works.
    private func drawNote(row: Int, _ inside: Region, on frame: inout Frame) {
        guard let entry = sheet.selected(in: state.keymap) else { return }
        if let disabledReason = state.disabledReason(of: entry, in: sheet) {
            frame.write(clipping: disabledReason, row: row, column: inside.column, columns: inside.columns)
        } else if let text = state.commandsOfSelectedAction.flatMap({ ShellCommand.text($0) }) {
            let line = StyledLine("$ ", state.theme.key).adding(text, state.theme.faint)
            frame.write(line, row: row, column: inside.column, columns: inside.columns)
        } else if entry.part != .list, entry.part != sheet.behind.part {
            frame.write(
                clipping: "Works \(entry.part.inSentence).", row: row, column: inside.column, columns: inside.columns,
                style: state.theme.faint)
        }
    }

    /// A heading, or an entry by its index.
    private enum Row: Equatable {
        case heading(String)
        case entry(Int)
    }

    /// The rows; help without a filter has headings.
    private var rows: [Row] {
        guard sheet.kind == .help, !isFiltered else { return sheet.entries.indices.map(Row.entry) }
        var rows: [Row] = []
        var heading = ""
        for (index, entry) in sheet.entries.enumerated() {
            let action = state.keymap.all[entry.index]
            let isDaily = action.traits.contains(.isDaily) && action.part == sheet.behind.part
            let nextHeading = isDaily ? "Most used" : action.part.heading
            if nextHeading != heading { rows.append(.heading(nextHeading)) }
            heading = nextHeading
            rows.append(.entry(index))
        }
        return rows
    }

    private func draw(_ rows: [Row], in region: Region, _ box: SheetFrame, on frame: inout Frame) {
        guard !rows.isEmpty else {
            frame.write(
                clipping: "No entry matches. \(state.keyWord(of: .cancel, in: sheet.part)) closes this sheet.",
                row: region.row, column: region.column, columns: region.columns)
            return
        }
        let selected = rows.firstIndex(of: .entry(sheet.selection)) ?? 0
        let scrolled = ScrolledLines(count: rows.count, room: region.rows, around: selected)
        box.drawScrollHint(beside: region.rowRange, scrolled, on: &frame)
        for (line, row) in zip(region.rowRange, rows[scrolled.range]) {
            switch row {
            case .heading(let heading):
                frame.write(
                    clipping: heading, row: line, column: region.column, columns: region.columns,
                    style: state.theme.header)
            case .entry(let index):
                draw(index, row: line, in: region, on: &frame)
            }
        }
    }

    private func draw(_ index: Int, row: Int, in region: Region, on frame: inout Frame) {
        let entry = sheet.entries[index]
        let action = state.keymap.all[entry.index]
        let isSelected = index == sheet.selection
        let isDisabled = state.disabledReason(of: action, in: sheet) != nil
        if isSelected { frame.fillSelection(row: row, in: region, state.theme) }
        let style: Style? = isSelected ? state.theme.selection : isDisabled ? state.theme.faint : nil
        let keyColumns = Self.keyColumns(region)
        if isSelected { frame.write(">", row: row, endingBefore: region.column + 1, style: state.theme.selection) }
        // A narrow screen shows only the first key, to leave room for the sentence.
        let palette = state.keyName(of: .palette)
        let key = action.keys.first?.displayName(charset: state.charset) ?? palette
        let names = region.columns >= 60 ? action.keyNames(charset: state.charset, palette: palette) : key
        frame.write(
            clipping: names, row: row, column: region.column + 2,
            columns: keyColumns - 1, style: style ?? state.theme.key)
        let start = region.column + 2 + keyColumns
        let room = region.columns - keyColumns - 2
        frame.write(clipping: action.help, row: row, column: start, columns: room, style: style ?? state.theme.plain)
        for mark in entry.marks where mark < room && action.help.utf8.count <= room {
            frame.restyle(Region(row: row, column: start + mark, rows: 1, columns: 1)) {
                $0 = isSelected ? state.theme.matchInSelection : state.theme.match
            }
        }
        drawSuffix(isDisabled ? "not now" : partSuffix(action), row: row, after: action, in: region, style, on: &frame)
    }

    private static func keyColumns(_ region: Region) -> Int { region.columns >= 60 ? 18 : 7 }

    /// The part in which an action works, such as `in the history`; empty for actions of the list, and if help shows
    /// headings.
    private func partSuffix(_ action: Action) -> String {
        isFiltered && action.part != .list ? action.part.inSentence : ""
    }

    /// Draws words at the end of a row if the help sentence leaves room. The last line of the sheet shows the same
    /// words for the selected entry.
    private func drawSuffix(
        _ suffix: String, row: Int, after action: Action, in region: Region, _ style: Style?, on frame: inout Frame
    ) {
        let keyColumns = Self.keyColumns(region)
        guard keyColumns + 4 + action.help.count + suffix.count <= region.columns else { return }
        frame.write(
            suffix, row: row, endingBefore: region.column + region.columns, style: style ?? state.theme.faint)
    }
}

extension ActionSheet {
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        ActionSheetView(state: state, sheet: self).draw(on: &frame)
    }
}
