/// The size of a screen in character cells.
public struct Size: Sendable, Hashable {
    /// Number of columns, at least 0.
    public var columns: Int
    /// Number of rows, at least 0.
    public var rows: Int

    /// Creates a size. Negative numbers count as 0.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// A cell's position. Rows and columns count from 0 at the top left.
public struct Position: Sendable, Hashable {
    /// Row from the top.
    public var row: Int
    /// Column from the left.
    public var column: Int

    /// A position in a frame.
    public init(row: Int, column: Int) {
        (self.row, self.column) = (row, column)
    }
}
