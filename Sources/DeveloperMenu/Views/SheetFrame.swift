import TerminalUI

/// The frame of a sheet over the list: a border with a title in its upper edge.
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

    func draw(title: String, state: MenuState, on frame: inout Frame) {
        // Also clears the areas to the left and right of the sheet, so that the sheet does not cut words.
        let band = Region(row: region.row, column: 0, rows: region.rows, columns: frame.size.columns)
        frame.fill(band, style: .plain)
        frame.drawBorder(region, style: state.theme.accent)
        frame.write(
            clipping: " \(title) ", row: region.row, column: region.column + 1, columns: region.columns - 2,
            style: state.theme.title)
    }

    /// Shows on the right edge, beside rows that can be scrolled, whether there are more lines above or below.
    func drawScrollHint(beside rows: Range<Int>, _ lines: ScrolledLines, on frame: inout Frame) {
        frame.drawScrollHint(
            beside: rows, column: region.columnRange.upperBound - 1, above: lines.hasMoreAbove,
            below: lines.hasMoreBelow)
    }
}

extension Frame {
    /// Fills a selected row of a sheet from edge to edge.
    ///
    /// - Parameter inside: the region of the sheet's lines.
    mutating func fillSelection(row: Int, in inside: Region, _ theme: Theme) {
        fill(
            Region(row: row, column: inside.column - 1, rows: 1, columns: inside.columns + 2), style: theme.selection)
    }
}
