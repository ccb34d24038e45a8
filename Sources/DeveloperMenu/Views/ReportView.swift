import TerminalUI

/// A sheet of lines to read, as large as the screen lets it be.
struct ReportView {
    let state: MenuState
    let sheet: ReportSheet

    /// The text in rows of so many columns.
    let lines: [String]
    let columns: Int
    private let box: SheetFrame

    init(state: MenuState, sheet: ReportSheet) {
        (self.state, self.sheet) = (state, sheet)
        let columns = min(100, state.size.columns - 4)
        lines =
            sheet.wrapped.columns == columns
            ? sheet.wrapped.rows
            : state.lines(of: sheet).flatMap { Self.wrapped($0, columns: columns, charset: state.charset) }
        self.columns = columns
        box = SheetFrame(lines: lines.count, columns: columns, on: state.size)
    }

    /// A line as it is where it fits, so that columns stay columns; else in several, indented as it was.
    private static func wrapped(_ line: String, columns: Int, charset: Charset) -> [String] {
        guard DisplayText.width(line, charset: charset) > columns else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        guard indent.count < columns / 2 else { return DisplayText.wrapped(line, columns: columns, charset: charset) }
        let parts = DisplayText.wrapped(line, columns: columns - indent.count - 2, charset: charset)
        return parts.enumerated().map { index, part in indent + (index == 0 ? "" : "  ") + part }
    }

    /// Lines to scroll by for the next page, of which one stays in view.
    var pageRows: Int { max(1, box.inside.rows - 1) }

    /// The first line shown after scrolling by so many lines.
    func top(after count: Int) -> Int {
        let last = max(0, lines.count - box.inside.rows)
        return max(0, min(min(sheet.top, last) + count, last))
    }

    func draw(on frame: inout Frame) -> Position? {
        box.draw(title: sheet.report.title, state: state, on: &frame)
        let top = top(after: 0)
        for (index, line) in lines.dropFirst(top).prefix(box.inside.rows).enumerated() {
            frame.write(
                clipping: line, row: box.inside.row + index, column: box.inside.column, columns: box.inside.columns)
        }
        box.drawScrollHint(
            beside: box.inside.rowRange, above: top > 0, below: top + box.inside.rows < lines.count, on: &frame)
        return Position(row: box.inside.row, column: box.inside.column)
    }
}
