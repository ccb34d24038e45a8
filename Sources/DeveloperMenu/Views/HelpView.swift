import TerminalUI

/// Help: what is typed filters the bindings table, Enter runs the selected entry.
struct HelpView {
    let state: MenuState
    let help: HelpSheet

    func draw(on frame: inout Frame) -> Position? {
        let columns = min(84, state.size.columns - 4)
        let entries = help.entries
        let rows = self.rows(entries)
        let sheet = SheetFrame(lines: rows.count + 2, columns: columns, on: frame.size)
        sheet.draw(title: "Help", state: state, on: &frame)
        let inside = sheet.inside
        frame.write("/", at: Position(row: inside.row, column: inside.column), limit: 1, style: state.theme.key)
        let field = FieldLine(
            help.filter, column: inside.column + 2, columns: inside.columns - 16, charset: state.charset)
        field.draw(row: inside.row, on: &frame)
        let count = "\(entries.count) of \(Bindings.all.count)"
        frame.write(count, row: inside.row, endingBefore: inside.column + inside.columns, style: state.theme.faint)
        draw(rows, entries, in: sheet, on: &frame)
        return Position(row: inside.row, column: field.cursorColumn)
    }

    /// A heading, or an entry by its index.
    private enum Row: Equatable {
        case heading(Binding.Context)
        case entry(Int)
    }

    private func rows(_ entries: [Binding]) -> [Row] {
        var rows: [Row] = []
        var context: Binding.Context?
        for (index, entry) in entries.enumerated() {
            if entry.context != context {
                context = entry.context
                rows.append(.heading(entry.context))
            }
            rows.append(.entry(index))
        }
        return rows
    }

    private func draw(_ rows: [Row], _ entries: [Binding], in sheet: SheetFrame, on frame: inout Frame) {
        let region = sheet.inside.droppingTop(2)
        guard !rows.isEmpty else {
            frame.write("No entry matches. Esc closes help.", at: Position(row: region.row, column: region.column))
            return
        }
        let selected = rows.firstIndex(of: .entry(help.selection)) ?? 0
        let first = max(0, min(selected - region.rows / 2, rows.count - region.rows))
        sheet.drawScrollHint(
            beside: region.rowRange, above: first > 0, below: first + region.rows < rows.count, on: &frame)
        for (line, row) in rows.dropFirst(first).prefix(region.rows).enumerated() {
            switch row {
            case .heading(let context):
                frame.write(
                    clipping: context.heading, row: region.row + line, column: region.column, columns: region.columns,
                    style: state.theme.header)
            case .entry(let index):
                draw(
                    entries[index], isSelected: index == help.selection, row: region.row + line, in: region, on: &frame)
            }
        }
    }

    private func draw(_ entry: Binding, isSelected: Bool, row: Int, in region: Region, on frame: inout Frame) {
        if isSelected {
            frame.fill(
                Region(row: row, column: region.column - 1, rows: 1, columns: region.columns + 2),
                style: state.theme.selection)
        }
        let style: Style? = isSelected ? state.theme.selection : nil
        let keyColumns = region.columns >= 60 ? 18 : 12
        let names = entry.keyNames(charset: state.charset)
        frame.write(
            clipping: names, row: row, column: region.column + 2, columns: keyColumns - 1,
            style: style ?? state.theme.key)
        frame.write(
            clipping: entry.help, row: row, column: region.column + 2 + keyColumns,
            columns: region.columns - keyColumns - 2, style: style ?? .plain)
    }
}
