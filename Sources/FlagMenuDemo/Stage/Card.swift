import TerminalUI

/// A bordered card of lines, with a title in its upper edge, in the middle of a region.
struct Card: Equatable {
    enum Line: Equatable {
        case text(String, Style)
        case centered(String, Style)
        case button(String, RGB)
        static let blank = Line.text("", .plain)
    }

    var title: String
    var lines: [Line]
    /// The index of the line that stays in view; `nil` to show the first lines.
    var focus: Int?
    /// Whether the line in focus is marked as selected.
    var marksFocus = false
    /// The number of columns for the lines.
    var columns = 44

    /// Draws the card.
    ///
    /// - Parameter sideLines: the number of lines of the longest of the cards side by side, which are at the region's
    ///   upper edge and of equal size; `nil` for a card alone.
    func draw(in region: Region, sideLines: Int? = nil, _ theme: StageTheme, on frame: inout Frame) {
        let width = min(columns + 4, region.columns)
        let height = min((sideLines ?? lines.count) + 2, region.rows)
        let box = Region(
            row: region.row + (sideLines == nil ? (region.rows - height) / 3 : 0),
            column: region.column + (region.columns - width) / 2,
            rows: height, columns: width)
        guard box.rows > 2, box.columns > 4 else { return }
        frame.fill(box, style: .plain)
        frame.drawBorder(box, style: theme.border)
        let name = DisplayText.clipped(" \(title) ", to: box.columns - 2, charset: frame.charset)
        frame.write(name, at: Position(row: box.row, column: box.column + 1), style: theme.title)
        let inside = box.inset(rows: 1, columns: 2)
        let first = top(rows: inside.rows)
        for (offset, line) in lines[first..<min(lines.count, first + inside.rows)].enumerated() {
            let row = Region(row: inside.row + offset, column: inside.column, rows: 1, columns: inside.columns)
            draw(line, isFocus: marksFocus && first + offset == focus, in: row, theme, on: &frame)
        }
        frame.drawScrollHint(
            beside: inside.rowRange, column: box.columnRange.upperBound - 1, above: first > 0,
            below: first + inside.rows < lines.count)
    }

    /// The index of the first line in view.
    private func top(rows: Int) -> Int {
        guard let focus, lines.count > rows else { return 0 }
        return marksFocus ? max(0, min(focus - rows / 2, lines.count - rows)) : min(focus, lines.count - rows)
    }

    private func draw(_ line: Line, isFocus: Bool, in row: Region, _ theme: StageTheme, on frame: inout Frame) {
        switch line {
        case .text(let text, let style):
            let shown = DisplayText.clipped(text, to: row.columns, charset: frame.charset)
            if isFocus { frame.fill(row, style: theme.selection) }
            frame.write(
                (isFocus ? "> " : marksFocus ? "  " : "") + shown, at: Position(row: row.row, column: row.column),
                limit: row.columns, style: isFocus ? theme.selection : style)
        case .centered(let text, let style):
            drawCentered(text, style, in: row, on: &frame)
        case .button(let text, let color):
            let label = DisplayText.clipped(text, to: max(1, row.columns - 4), charset: frame.charset)
            let style = theme.hasColors ? Style.plain.bold() : Style.plain.bold().reversed()
            let columns = drawCentered("[ \(label) ]", style, in: row, on: &frame)
            guard theme.hasColors else { return }
            frame.tint(Region(row: row.row, column: columns.lowerBound, rows: 1, columns: columns.count), color)
        }
    }

    /// Draws a text in the middle of a row, and returns its columns.
    @discardableResult private func drawCentered(
        _ text: String, _ style: Style, in row: Region, on frame: inout Frame
    ) -> Range<Int> {
        let shown = DisplayText.clipped(text, to: row.columns, charset: frame.charset)
        let column = row.column + (row.columns - DisplayText.width(shown, charset: frame.charset)) / 2
        return column..<frame.write(shown, at: Position(row: row.row, column: column), style: style)
    }
}
