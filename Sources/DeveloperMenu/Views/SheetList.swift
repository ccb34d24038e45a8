import FlagModel
import TerminalUI

/// A sheet as it is drawn: lines above, a line that is typed into, rows to choose from or to read, and lines below. If
/// there is not enough room, the rows around the selected entry are in view.
struct SheetList {
    /// A row of the list.
    struct Row {
        /// The index of the entry that the row shows; `nil` for a heading.
        let entry: Int?
        /// Makes the line, which happens only if the row is in view.
        let line: () -> StyledLine

        init(entry: Int? = nil, line: @autoclosure @escaping () -> StyledLine) {
            (self.entry, self.line) = (entry, line)
        }
    }

    /// A line that is typed into.
    struct Field {
        let sign: String
        let text: TextField
        var style = Style.plain
        var isEdited = true
        /// The words at the right end of the line.
        var count = ""
        /// Whether the line is followed by an empty one, if there is room.
        var hasGap = true
    }

    let box: SheetFrame
    /// The rows in view.
    let shown: ScrolledLines
    /// The lines below the rows.
    var below: [StyledLine]

    private let state: MenuState
    private let title: String
    private let above: [StyledLine]
    private let rows: [Row]
    private let selection: Int?
    private let field: Field?
    private let asks: Bool
    private let listRegion: Region

    /// - Parameters:
    ///   - columns: the width of the lines.
    ///   - top: the first row in view of a sheet that scrolls; `nil` if the selected entry is in view.
    ///   - empty: the sentence if there are no rows.
    ///   - asks: whether the last line asks for a key, so that the cursor is there.
    init(
        _ state: MenuState, title: String, columns: Int, above: [StyledLine] = [], field: Field? = nil,
        rows: [Row] = [], below: [StyledLine] = [], selection: Int? = nil, top: Int? = nil, empty: String = "",
        asks: Bool = false
    ) {
        (self.state, self.title, self.above, self.below) = (state, title, above, below)
        (self.selection, self.field, self.asks) = (selection, field, asks)
        let rows = rows.isEmpty && !empty.isEmpty ? [Row(line: StyledLine(empty, state.theme.faint))] : rows
        self.rows = rows
        let hasGap = field?.hasGap == true && state.size.rows >= Layout.roomy.rows && !(above.isEmpty && below.isEmpty)
        let rowsAbove = above.count + (field == nil ? 0 : hasGap ? 2 : 1)
        box = SheetFrame(lines: rowsAbove + rows.count + below.count, columns: columns, on: state.size)
        let room = max(1, box.inside.rows - rowsAbove - below.count)
        listRegion = box.inside.droppingTop(rowsAbove).top(room)
        // The middle of the selected entry, which may have several rows.
        let selected = rows.indices.filter { rows[$0].entry != nil && rows[$0].entry == selection }
        let middle = selected.isEmpty ? 0 : (selected[0] + selected[selected.count - 1]) / 2
        shown =
            top.map { ScrolledLines(count: rows.count, room: room, top: $0) }
            ?? ScrolledLines(count: rows.count, room: room, around: middle)
    }

    /// A sheet of lines to read.
    init(_ state: MenuState, title: String, columns: Int, lines: [StyledLine], top: Int) {
        self.init(state, title: title, columns: columns, rows: lines.map { Row(line: $0) }, top: top)
    }

    /// The area of each entry in view, for the mouse.
    var areas: [MouseTarget.Area] {
        zip(listRegion.rowRange, rows[shown.range]).compactMap { row, shownRow in
            shownRow.entry.map { entry in
                let region = Region(row: row, column: listRegion.column, rows: 1, columns: listRegion.columns)
                return MouseTarget.Area(region: region, target: .entry(entry))
            }
        }
    }

    /// Draws the sheet, and returns the position of the cursor: in the line that is typed into, at the selected entry,
    /// at the last line if it asks, or at the first line.
    func draw(on frame: inout Frame) -> Position? {
        box.draw(title: title, state: state, on: &frame)
        let inside = box.inside
        frame.write(above, in: inside)
        frame.write(below, in: inside.droppingTop(inside.rows - below.count))
        let fieldCursor = drawField(in: inside.droppingTop(above.count), on: &frame)
        box.drawScrollHint(beside: listRegion.rowRange, shown, on: &frame)
        var cursor: Position?
        for (row, shownRow) in zip(listRegion.rowRange, rows[shown.range]) {
            let isSelected = shownRow.entry != nil && shownRow.entry == selection
            if isSelected { frame.fillSelection(row: row, in: inside, state.theme) }
            if isSelected, cursor == nil { cursor = Position(row: row, column: inside.column) }
            let isFirst = isSelected && cursor?.row == row
            let line = shownRow.entry == nil ? shownRow.line() : shownRow.line().following(isFirst ? "> " : "  ")
            let shownLine = isSelected ? line.selected(state.theme) : line
            frame.write(shownLine, row: row, column: inside.column, columns: inside.columns)
        }
        let row = asks ? inside.rowRange.upperBound - 1 : listRegion.row
        return fieldCursor ?? cursor ?? Position(row: row, column: inside.column)
    }

    private func drawField(in region: Region, on frame: inout Frame) -> Position? {
        guard let field else { return nil }
        frame.write(field.sign, at: Position(row: region.row, column: region.column), limit: 1, style: state.theme.key)
        frame.write(field.count, row: region.row, endingBefore: region.columnRange.upperBound, style: state.theme.faint)
        let room = region.columns - 3 - (field.count.isEmpty ? 0 : field.count.count + 2)
        let line = FieldLine(field.text, column: region.column + 2, columns: room, charset: state.charset)
        line.draw(row: region.row, style: field.style, on: &frame)
        return field.isEdited ? Position(row: region.row, column: line.cursorColumn) : nil
    }

    /// Rows of texts with notes, in two columns.
    ///
    /// - Parameter numbered: whether a digit chooses a row.
    static func rows(
        _ texts: [(text: String, note: String)], columns: Int, numbered: Bool = false, _ state: MenuState
    ) -> [Row] {
        let widest = texts.map { DisplayText.width($0.text.orQuotes, charset: state.charset) }.max() ?? 0
        // Notes are aligned. If no row has a note, texts may be as wide as the sheet.
        let hasNotes = texts.contains { !$0.note.isEmpty }
        let width = hasNotes ? min(max(8, widest), columns / 2) : widest
        return texts.enumerated().map { index, row in
            let number = numbered ? "\(index < 9 ? "\(index + 1)" : " ")  " : ""
            let line = StyledLine(number, state.theme.key)
                .adding(DisplayText.padded(row.text.orQuotes, to: width, charset: state.charset))
                .adding("  \(row.note)", state.theme.faint)
            return Row(entry: index, line: line)
        }
    }
}

extension StyledLine {
    /// The line as a selected row: its matched letters stay visible.
    fileprivate func selected(_ theme: Theme) -> StyledLine {
        spans.reduce(StyledLine()) { line, span in
            line.adding(span.text, span.style == theme.match ? theme.matchInSelection : theme.selection)
        }
    }

    /// The line with a text before it.
    fileprivate func following(_ text: String) -> StyledLine {
        var line = StyledLine(text)
        line.spans += spans
        return line
    }
}
