import TerminalUI

// The view of the status: the text of a tab, as large as the screen allows, with the tabs in the upper edge.
extension StatusSheet {
    func view(in state: MenuState) -> SheetList {
        let columns = min(100, state.size.columns - 4)
        let rows = shownLines.flatMap { Self.wrapped($0, columns: columns, charset: state.charset) }
        return SheetList(state, title: "", columns: columns, lines: rows, top: scrolled.top)
    }

    /// A line in rows of at most `columns` columns. A line of a table is wrapped within its last table column, so that
    /// the table stays aligned. In other lines, the rows after the first usually have two more spaces of indentation.
    private static func wrapped(_ line: String, columns: Int, charset: Charset) -> [StyledLine] {
        if DisplayText.fits(line, columns: columns, charset: charset) { return [StyledLine(line)] }
        let text = WrappedText(columns: columns, charset: charset)
        if let start = lastColumn(of: line, columns: columns, charset: charset) {
            return text.labelled(
                StyledLine(String(line[..<start])), String(line[start...]), .plain, .plain, breaksAtWords: true)
        }
        let indent = String(line.prefix { $0 == " " })
        guard indent.count < columns / 2 else { return text.lines(of: line) }
        let pieces = DisplayText.wrapped(line, columns: columns - indent.count - 2, charset: charset)
        return pieces.enumerated().map { index, piece in StyledLine(indent + (index == 0 ? "" : "  ") + piece) }
    }

    /// The start of the last table column in the left three fifths of `columns`; `nil` if there is none. A table column
    /// starts after a word and at least two spaces.
    private static func lastColumn(of line: String, columns: Int, charset: Charset) -> String.Index? {
        let start = line.prefix(columns * 3 / 5).matches(of: /[^ ] {2,}(?=[^ ])/).last?.range.upperBound
        guard let start, DisplayText.width(String(line[..<start]), charset: charset) <= columns * 3 / 5 else {
            return nil
        }
        return start
    }

    /// Draws the names of the tabs into the upper edge; the one in view is reversed.
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        let view = view(in: state)
        let position = view.draw(on: &frame)
        for (tab, area) in zip(StatusTab.allCases, Self.tabAreas(on: view.box, state)) {
            frame.write(
                clipping: " \(tab.rawValue) ", row: area.region.row, column: area.region.column,
                columns: min(area.region.columns, view.box.region.columnRange.upperBound - 1 - area.region.column),
                style: tab == self.tab ? state.theme.title.reversed() : state.theme.plain)
        }
        return position
    }

    func mouseTargets(in state: MenuState) -> [MouseTarget.Area] { Self.tabAreas(on: view(in: state).box, state) }

    private static func tabAreas(on box: SheetFrame, _ state: MenuState) -> [MouseTarget.Area] {
        var column = box.region.column + 1
        return StatusTab.allCases.map { tab in
            let columns = column..<column + tab.rawValue.count + 2
            column = columns.upperBound
            let key = state.keymap.action(tab.action, in: part)?.keys.first
            return MouseTarget.Area(row: box.region.row, columns: columns, key.map(MouseTarget.key) ?? .entry(0))
        }
    }
}
