import FlagModel
import TerminalUI

/// A sheet with a list, as it is drawn: lines above, rows to choose from, and lines below. If there is not enough room,
/// the rows around the selected entry are in view.
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

    let state: MenuState
    let title: String
    let above: [StyledLine]
    let rows: [Row]
    let below: [StyledLine]
    let selection: Int?
    /// The text of the line that is typed into, if there is one: below the lines above.
    let field: (sign: String, text: TextField, isEdited: Bool)?
    /// The words at the right end of the line that is typed into.
    let count: String
    let box: SheetFrame
    private let shown: ScrolledLines
    private let listRegion: Region

    /// - Parameters:
    ///   - columns: the width of the lines.
    ///   - empty: the sentence if there are no rows.
    init(
        _ state: MenuState, title: String, columns: Int, above: [StyledLine] = [],
        field: (sign: String, text: TextField, isEdited: Bool)? = nil, count: String = "", rows: [Row],
        below: [StyledLine] = [], selection: Int?, empty: String = ""
    ) {
        (self.state, self.title, self.above, self.below) = (state, title, above, below)
        (self.selection, self.field, self.count) = (selection, field, count)
        let rows = rows.isEmpty && !empty.isEmpty ? [Row(line: StyledLine(empty, state.theme.faint))] : rows
        self.rows = rows
        let fieldRows = field == nil ? 0 : state.size.rows < Layout.roomy.rows || above.isEmpty && below.isEmpty ? 1 : 2
        let top = above.count + fieldRows
        box = SheetFrame(lines: top + rows.count + below.count, columns: columns, on: state.size)
        let room = max(1, box.inside.rows - top - below.count)
        listRegion = box.inside.droppingTop(top).top(room)
        // The middle of the selected entry, which may have several rows.
        let selected = rows.indices.filter { rows[$0].entry != nil && rows[$0].entry == selection }
        let middle = selected.isEmpty ? 0 : (selected[0] + selected[selected.count - 1]) / 2
        shown = ScrolledLines(count: rows.count, room: room, around: middle)
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

    /// Draws the sheet, and returns the position of the cursor: in the line that is typed into, else at the selected
    /// entry.
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
        return fieldCursor ?? cursor ?? Position(row: listRegion.row, column: listRegion.column)
    }

    private func drawField(in region: Region, on frame: inout Frame) -> Position? {
        guard let field else { return nil }
        frame.write(field.sign, at: Position(row: region.row, column: region.column), limit: 1, style: state.theme.key)
        frame.write(count, row: region.row, endingBefore: region.column + region.columns, style: state.theme.faint)
        let room = region.columns - 3 - (count.isEmpty ? 0 : count.count + 2)
        let line = FieldLine(field.text, column: region.column + 2, columns: room, charset: state.charset)
        line.draw(row: region.row, on: &frame)
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
