import FlagModel
import TerminalUI

/// Rows to choose from, each with a note. If there is not enough room, the rows around the selected one are shown.
struct ChoiceRows {
    struct Row {
        /// The key that chooses the row immediately, if any.
        var key: String?
        let text: String
        let note: String
    }

    private let rows: [Row]
    private let selection: Int?

    /// - Parameter selection: the index of the selected row; `nil` if no row is selected.
    init(_ rows: [Row], selection: Int?) {
        (self.rows, self.selection) = (rows, selection)
    }

    var count: Int { rows.count }

    /// Draws the rows, and returns the position of the selected row; `nil` if no row is selected.
    @discardableResult
    func draw(in region: Region, _ state: MenuState, on frame: inout Frame) -> Position? {
        let shown = ScrolledLines(count: rows.count, room: region.rows, around: selection ?? 0)
        let widest = rows.map { DisplayText.width($0.text, charset: state.charset) }.max() ?? 0
        // Notes are aligned. If no row has a note, texts may be as wide as the region.
        let hasNotes = rows.contains { !$0.note.isEmpty }
        let width = hasNotes ? min(max(8, widest), region.columns / 2) : widest
        var cursor: Position?
        for (row, index) in zip(region.rowRange, shown.range) {
            let isSelected = index == selection
            if isSelected {
                frame.fillSelection(row: row, in: region, state.theme)
                cursor = Position(row: row, column: region.column)
            }
            var line = StyledLine(isSelected ? "> " : "  ")
            if let key = rows[index].key { line = line.adding("\(key)  ", state.theme.key) }
            line = line.adding(DisplayText.padded(rows[index].text.orQuotes, to: width, charset: state.charset))
                .adding("  \(rows[index].note)", state.theme.faint)
            frame.write(
                line, row: row, column: region.column, columns: region.columns,
                restyled: isSelected ? state.theme.selection : nil)
        }
        frame.drawScrollHint(
            beside: region.rowRange, column: region.columnRange.upperBound + 1, above: shown.hasMoreAbove,
            below: shown.hasMoreBelow)
        return cursor
    }
}
