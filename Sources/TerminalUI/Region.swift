/// A rectangle of cells. Its width and height are never negative.
public struct Region: Sendable, Hashable {
    /// First row.
    public var row: Int
    /// First column.
    public var column: Int
    /// Number of rows, at least 0.
    public var rows: Int
    /// Number of columns, at least 0.
    public var columns: Int

    /// Creates a rectangle. Negative sizes count as 0.
    public init(row: Int, column: Int, rows: Int, columns: Int) {
        (self.row, self.column) = (row, column)
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }

    /// The whole screen.
    public init(_ size: Size) {
        self.init(row: 0, column: 0, rows: size.rows, columns: size.columns)
    }

    /// The rows of the rectangle.
    public var rowRange: Range<Int> { row..<row + rows }
    /// The columns of the rectangle.
    public var columnRange: Range<Int> { column..<column + columns }

    /// Whether the cell at `position` is in the rectangle.
    public func contains(_ position: Position) -> Bool {
        rowRange.contains(position.row) && columnRange.contains(position.column)
    }

    /// The rectangle without `insetRows` rows at both its top and bottom, and without `insetColumns` columns at both
    /// its left and right; empty if too little remains.
    public func inset(rows insetRows: Int = 0, columns insetColumns: Int = 0) -> Region {
        Region(
            row: row + min(insetRows, rows), column: column + min(insetColumns, columns),
            rows: rows - 2 * insetRows, columns: columns - 2 * insetColumns)
    }

    /// The first `count` rows.
    public func top(_ count: Int) -> Region {
        Region(row: row, column: column, rows: min(max(0, count), rows), columns: columns)
    }

    /// All but the first `count` rows.
    public func droppingTop(_ count: Int) -> Region {
        let droppedRows = min(max(0, count), rows)
        return Region(row: row + droppedRows, column: column, rows: rows - droppedRows, columns: columns)
    }
}
