import FlagModel
import FlagQueries
import TerminalUI

/// Draws the history: a row for each item, and a row with the date above the items of each day.
struct HistoryView {
    let state: MenuState
    let sheet: HistorySheet

    /// A date, or an item by its index.
    private enum Row: Equatable {
        case date(String)
        case item(Int)
    }

    func draw(on frame: inout Frame) -> Position? {
        let columns = min(100, state.size.columns - 4)
        let rows = self.rows
        let hasFilterLine = sheet.isFiltering || !sheet.filter.text.isEmpty
        let box = SheetFrame(lines: max(1, rows.count) + (hasFilterLine ? 1 : 0), columns: columns, on: state.size)
        box.draw(title: title, state: state, on: &frame)
        var cursor: Position?
        if hasFilterLine { cursor = drawFilter(in: box.inside, on: &frame) }
        let inside = box.inside.droppingTop(hasFilterLine ? 1 : 0)
        guard !rows.isEmpty else {
            frame.write(clipping: emptySentence, row: inside.row, column: inside.column, columns: inside.columns)
            return cursor ?? Position(row: inside.row, column: inside.column)
        }
        let selected = rows.firstIndex(of: .item(sheet.selection)) ?? 0
        let scrolled = ScrolledLines(count: rows.count, room: inside.rows, around: selected)
        for (line, row) in zip(inside.rowRange, rows[scrolled.range]) {
            switch row {
            case .date(let date):
                frame.write(date, at: Position(row: line, column: inside.column), style: state.theme.header)
            case .item(let index):
                if index == sheet.selection, cursor == nil { cursor = Position(row: line, column: inside.column) }
                draw(index, row: line, in: inside, on: &frame)
            }
        }
        box.drawScrollHint(beside: inside.rowRange, scrolled, on: &frame)
        return cursor
    }

    private var title: String {
        let count = sheet.undoCount
        guard count > 1 else { return "History, newest first" }
        return "History, newest first: \(state.keyName(of: "undoTo", in: .history)) undoes \(count)"
    }

    private var emptySentence: String {
        switch sheet.content {
        case .awaited: "Reading."
        case .read([]): "No changes yet."
        case .read: "No change contains these words."
        case .unreadable(let sentence): sentence
        }
    }

    private func drawFilter(in inside: Region, on frame: inout Frame) -> Position? {
        frame.write("/", at: Position(row: inside.row, column: inside.column), limit: 1, style: state.theme.key)
        let field = FieldLine(
            sheet.filter, column: inside.column + 2, columns: inside.columns - 3, charset: state.charset)
        field.draw(row: inside.row, on: &frame)
        return sheet.isFiltering ? Position(row: inside.row, column: field.cursorColumn) : nil
    }

    private var rows: [Row] {
        var date = ""
        return sheet.items.indices.flatMap { index -> [Row] in
            let entry = sheet.entries[sheet.items[index].entry]
            defer { date = entry.date }
            return (entry.date == date ? [] : [.date(entry.date)]) + [.item(index)]
        }
    }

    private func draw(_ index: Int, row: Int, in inside: Region, on frame: inout Frame) {
        let item = sheet.items[index]
        let entry = sheet.entries[item.entry]
        let isSelected = index == sheet.selection
        if isSelected { frame.fillSelection(row: row, in: inside, state.theme) }
        let style = entry.isUndone ? state.theme.faint : state.theme.plain
        let pointer = isSelected ? "> " : "  "
        let line =
            item.change.map { StyledLine("\(pointer)          \(HistorySheet.lines(of: entry)[$0])", style) }
            ?? StyledLine("\(pointer)\(entry.time)  ", state.theme.faint).adding(HistorySheet.text(of: entry), style)
        frame.write(
            line, row: row, column: inside.column, columns: inside.columns,
            restyled: isSelected ? state.theme.selection : nil)
    }
}

extension HistorySheet {
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        HistoryView(state: state, sheet: self).draw(on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        guard !isFiltering else { return LineModeSheet(lines: ["The words to filter by."], prompt: "Filter: ") }
        switch content {
        case .awaited: return LineModeSheet(lines: ["Reading."])
        case .unreadable(let sentence): return LineModeSheet(lines: [sentence], isAnnounced: true)
        case .read(let entries):
            guard !entries.isEmpty else { return LineModeSheet(lines: ["No changes yet."], isAnnounced: true) }
            return LineModeSheet(before: ["History, newest first."], numbering: texts, prompt: "History: ")
        }
    }

    /// The listed items as lines of text.
    var texts: [String] {
        items.map { item in
            let entry = entries[item.entry]
            return item.change.map { "    \(Self.lines(of: entry)[$0])" }
                ?? "\(entry.date) \(entry.time)  \(Self.text(of: entry))"
        }
    }

    /// An entry on one line: its change if there is only one, otherwise its action; then notes and the author.
    static func text(of entry: HistoryEntry) -> String {
        let lines = lines(of: entry)
        let hasOneChange = lines.count == 1
        let summary = hasOneChange ? lines[0] : entry.action
        let notes = [
            hasOneChange && entry.isMove ? entry.action : nil, entry.isUndone ? "undone" : nil,
            entry.by.isEmpty ? nil : entry.by,
        ]
        return "\(summary)  \(notes.compactMap { $0 }.joined(separator: ", "))"
    }

    /// The changes of an entry, each on one line, as `key: old -> new`.
    static func lines(of entry: HistoryEntry) -> [String] {
        entry.changes.map { change in
            let (old, new) = (EffectiveChange.shown(change.old?.value), EffectiveChange.shown(change.new?.value))
            return "\(change.key): \(old) -> \(new)"
        } + entry.contextChanges.map(\.sentence)
    }
}
