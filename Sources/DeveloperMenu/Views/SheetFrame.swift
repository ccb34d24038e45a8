import TerminalUI

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
