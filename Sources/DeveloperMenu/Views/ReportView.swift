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

    /// A line as it is where it fits; else in several within its last column, so that columns stay columns, or indented
    /// as it was.
    private static func wrapped(_ line: String, columns: Int, charset: Charset) -> [String] {
        guard DisplayText.width(line, charset: charset) > columns else { return [line] }
        if let start = lastColumn(of: line, columns: columns, charset: charset) {
            let indent = DisplayText.width(String(line[..<start]), charset: charset)
            let margin = String(repeating: " ", count: indent)
            return DisplayText.wrapped(String(line[start...]), columns: columns - indent, charset: charset).enumerated()
                .map { index, part in (index == 0 ? String(line[..<start]) : margin) + part }
        }
        let indent = String(line.prefix { $0 == " " })
        guard indent.count < columns / 2 else { return DisplayText.wrapped(line, columns: columns, charset: charset) }
        let parts = DisplayText.wrapped(line, columns: columns - indent.count - 2, charset: charset)
        return parts.enumerated().map { index, part in indent + (index == 0 ? "" : "  ") + part }
    }

    /// Where the last column begins that leaves enough room beside it: behind two spaces or more, after some word.
    private static func lastColumn(of line: String, columns: Int, charset: Charset) -> String.Index? {
        var (start, spaces, hasWord): (String.Index?, Int, Bool) = (nil, 0, false)
        for index in line.indices.prefix(columns * 3 / 5) {
            if line[index] == " " {
                spaces += 1
            } else {
                if spaces > 1, hasWord { start = index }
                (spaces, hasWord) = (0, true)
            }
        }
        guard let start, DisplayText.width(String(line[..<start]), charset: charset) <= columns * 3 / 5 else {
            return nil
        }
        return start
    }

    /// What of it is in view.
    var scrolled: ScrolledLines { ScrolledLines(count: lines.count, room: box.inside.rows, top: sheet.top) }

    func draw(on frame: inout Frame) -> Position? {
        box.draw(title: sheet.report.title, lines.map { StyledLine($0) }, scrolled, state: state, on: &frame)
    }
}
