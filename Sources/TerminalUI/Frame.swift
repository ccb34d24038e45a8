/// A grid of cells. Views draw the grid; the terminal shows it, or a test reads it.
///
/// All text is written through `DisplayText`, so a frame cannot contain a control character. A wide character always
/// has both of its cells.
public struct Frame: Sendable, Equatable {
    /// Columns and rows.
    public let size: Size
    /// The characters that the terminal can show.
    public let charset: Charset

    private var cells: [Cell]
    /// Regions with a specific background colour; most frames have none.
    public internal(set) var tints: [Tint] = []

    /// An empty frame.
    public init(size: Size, charset: Charset = .unicode) {
        (self.size, self.charset) = (size, charset)
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// The whole frame as a region.
    public var region: Region { Region(size) }

    /// The cell at a position; a blank cell outside the frame.
    public subscript(row: Int, column: Int) -> Cell {
        (0..<size.rows).contains(row) && (0..<size.columns).contains(column)
            ? cells[row * size.columns + column] : .blank
    }

    /// The cells of a row of the frame.
    public func cells(inRow row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

    /// Whether a row is the same as in another frame of the same size.
    public func hasSameRow(_ row: Int, as other: Frame) -> Bool {
        // All members of a cell, in place: to compare slices, or copies of cells, takes several times as long.
        (row * size.columns..<(row + 1) * size.columns).allSatisfy { index in
            cells[index].style == other.cells[index].style && cells[index].character == other.cells[index].character
                && cells[index].width == other.cells[index].width
        }
    }

    /// A row of the frame as text, without trailing spaces.
    public func text(ofRow row: Int) -> String {
        let shown = (0..<size.columns).map { self[row, $0] }.filter { !$0.isContinuation }
        let used = shown.lastIndex { $0.character != " " }.map { shown[...$0] } ?? []
        return String(used.map(\.character))
    }

    /// Writes text after making it safe to show. The text is clipped to `limit` columns and at the frame's edges.
    ///
    /// A wide character that would be cut becomes a space.
    ///
    /// - Returns: the column after the last written cell, at which the next text may start.
    @discardableResult
    public mutating func write(
        _ text: String, at position: Position, limit: Int = .max, style: Style = .plain
    ) -> Int {
        guard (0..<size.rows).contains(position.row), limit > 0,
            position.column > -DisplayText.columnLimit, position.column < size.columns
        else {
            return position.column
        }
        let room = size.columns - position.column
        let end = position.column + min(limit, room)
        var column = position.column
        DisplayText.forEachGlyph(in: text, charset: charset) { glyph, width in
            guard column < end else { return false }
            let visible = (column..<min(end, column + width)).clamped(to: 0..<size.columns)
            if visible.count == width {
                put(Cell(character: glyph, style: style, width: width), position.row, column)
            } else {
                for cut in visible { put(Cell(character: " ", style: style, width: 1), position.row, cut) }
            }
            column = min(end, column + width)
            return true
        }
        return column
    }

    /// Fills a region with spaces.
    public mutating func fill(_ region: Region, style: Style) {
        forEachRow(of: region) { frame, row, columns in
            frame.repairEdges(row, columns)
            let start = row * frame.size.columns
            for column in columns { frame.cells[start + column] = Cell(character: " ", style: style, width: 1) }
        }
    }

    /// Changes the style of a region. The text stays.
    public mutating func restyle(_ region: Region, _ change: (inout Style) -> Void) {
        forEachRow(of: region) { frame, row, columns in
            for column in columns { change(&frame.cells[row * frame.size.columns + column].style) }
        }
    }

    /// Draws scroll arrows in `column`: in the first of `rows` if there is more `above`, and in the last if there is
    /// more `below`.
    public mutating func drawScrollHint(
        beside rows: Range<Int>, column: Int, above: Bool, below: Bool, style: Style = .plain
    ) {
        guard let first = rows.first, let last = rows.last else { return }
        if above { write(charset.moreAbove, at: Position(row: first, column: column), style: style) }
        if below { write(charset.moreBelow, at: Position(row: last, column: column), style: style) }
    }

    /// Draws a border just inside the edges of a region. Does nothing if the region is smaller than 2 x 2.
    public mutating func drawBorder(_ region: Region, style: Style = .plain) {
        guard region.rows >= 2, region.columns >= 2 else { return }
        let corners = charset.corners
        let middle = String(repeating: charset.horizontalLine, count: region.columns - 2)
        let lastRow = region.row + region.rows - 1
        let start = region.column
        write(corners.topLeft + middle + corners.topRight, at: Position(row: region.row, column: start), style: style)
        for row in region.row + 1..<lastRow {
            write(charset.verticalLine, at: Position(row: row, column: start), style: style)
            write(charset.verticalLine, at: Position(row: row, column: start + region.columns - 1), style: style)
        }
        write(
            corners.bottomLeft + middle + corners.bottomRight, at: Position(row: lastRow, column: start), style: style)
    }

    private mutating func put(_ cell: Cell, _ row: Int, _ column: Int) {
        repairEdges(row, column..<column + cell.width)
        let index = row * size.columns + column
        cells[index] = cell
        if cell.width == 2 { cells[index + 1] = Cell(character: " ", style: cell.style, width: 0) }
    }

    /// Before `columns` are overwritten, replaces wide cells that would lose one half with spaces.
    private mutating func repairEdges(_ row: Int, _ columns: Range<Int>) {
        guard !columns.isEmpty else { return }
        let start = row * size.columns
        if cells[start + columns.lowerBound].isContinuation {
            blankOut(start + columns.lowerBound - 1)
        }
        if columns.upperBound < size.columns, cells[start + columns.upperBound].isContinuation {
            blankOut(start + columns.upperBound)
        }
    }

    private mutating func blankOut(_ index: Int) {
        cells[index].character = " "
        cells[index].width = 1
    }

    /// Calls `body` for each row of a region, with the row and its columns clamped to the frame.
    private mutating func forEachRow(of region: Region, _ body: (inout Frame, Int, Range<Int>) -> Void) {
        let rows = region.rowRange.clamped(to: 0..<size.rows)
        let columns = region.columnRange.clamped(to: 0..<size.columns)
        guard !columns.isEmpty else { return }
        for row in rows { body(&self, row, columns) }
    }
}
