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

    let box: SheetFrame
    /// The region of the rows.
    let listRegion: Region
    /// The rows in view.
    let shown: ScrolledLines
    /// The lines below the rows.
    var below: [StyledLine]

    private let state: MenuState
    private let title: String
    private let above: [StyledLine]
    private let rows: [Row]
    private let selection: Int?
    private let field: FieldLine?
    private let asks: Bool

    /// - Parameters:
    ///   - columns: the width of the lines.
    ///   - top: the first row in view of a sheet that scrolls; `nil` if the selected entry is in view.
    ///   - empty: the sentence if there are no rows.
    ///   - asks: whether the last line asks for a key, so that the cursor is there.
    init(
        _ state: MenuState, title: String, columns: Int, above: [StyledLine] = [], field: FieldLine? = nil,
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
            shownRow.entry.map { MouseTarget.Area(row: row, columns: listRegion.columnRange, .entry($0)) }
        }
    }

    /// Draws the sheet, and returns the position of the cursor: in the line that is typed into, at the selected entry,
    /// at the last line if it asks, or at the first line.
    func draw(on frame: inout Frame) -> Position? {
        drawBorder(on: &frame)
        let inside = box.inside
        frame.write(above, in: inside)
        frame.write(below, in: inside.droppingTop(inside.rows - below.count))
        let fieldCursor = field?.draw(in: inside.droppingTop(above.count), state.theme, on: &frame)
        frame.drawScrollHint(
            beside: listRegion.rowRange, column: box.region.columnRange.upperBound - 1, above: shown.top > 0,
            below: shown.hiddenBelow > 0)
        var cursor: Position?
        for (row, shownRow) in zip(listRegion.rowRange, rows[shown.range]) {
            let isSelected = shownRow.entry != nil && shownRow.entry == selection
            if isSelected {
                let edgeToEdge = Region(row: row, column: inside.column - 1, rows: 1, columns: inside.columns + 2)
                frame.fill(edgeToEdge, style: state.theme.selection)
            }
            if isSelected, cursor == nil { cursor = Position(row: row, column: inside.column) }
            let isFirst = isSelected && cursor?.row == row
            let line = shownRow.entry == nil ? shownRow.line() : StyledLine(isFirst ? "> " : "  ") + shownRow.line()
            let shownLine = isSelected ? line.selected(state.theme) : line
            frame.write(shownLine, row: row, column: inside.column, columns: inside.columns)
        }
        let row = asks ? inside.rowRange.upperBound - 1 : listRegion.row
        return (field?.isEdited == true ? fieldCursor : cursor) ?? Position(row: row, column: inside.column)
    }

    private func drawBorder(on frame: inout Frame) {
        // Also clears the areas to the left and right of the sheet, so that the sheet does not cut words.
        let region = box.region
        frame.fill(Region(row: region.row, column: 0, rows: region.rows, columns: frame.size.columns), style: .plain)
        frame.drawBorder(region, style: state.theme.accent)
        frame.write(
            clipping: " \(title) ", row: region.row, column: region.column + 1, columns: region.columns - 2,
            style: state.theme.title)
    }

    /// A row for each entry, with a heading above an entry that has another heading than the one before.
    static func rows(
        _ count: Int, _ state: MenuState, heading: (Int) -> String?, line: @escaping (Int) -> StyledLine
    ) -> [Row] {
        var lastHeading: String?
        return (0..<count).flatMap { index -> [Row] in
            let heading = heading(index)
            defer { lastHeading = heading }
            let row = Row(entry: index, line: line(index))
            guard let heading, heading != lastHeading else { return [row] }
            return [Row(line: StyledLine(heading, state.theme.header)), row]
        }
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
}

/// The place of a sheet over the list.
struct SheetFrame {
    let region: Region
    /// The region of the sheet's lines.
    let inside: Region

    /// The maximum number of lines in a sheet. The title and the footer of the menu stay in view; on a larger screen,
    /// one more line stays in view.
    static func room(on size: Size) -> Int {
        max(1, size.rows - (size.rows < Layout.roomy.rows ? 4 : 5))
    }

    /// A sheet as large as its lines need, but no larger than the screen allows.
    init(lines: Int, columns: Int, on size: Size) {
        let width = min(max(columns + 4, 40), size.columns)
        let height = min(lines, Self.room(on: size)) + 2
        let row = max(1, (size.rows - height) / 3)
        region = Region(row: row, column: (size.columns - width) / 2, rows: height, columns: width)
        inside = region.inset(rows: 1, columns: 2)
    }
}
