import TerminalUI

/// A line that is typed into, scrolled so that its cursor is in view.
struct FieldLine {
    let sign: String
    let text: TextField
    var style = Style.plain
    var isEdited = true
    /// The words at the right end of the line.
    var count = ""
    /// Whether the line is followed by an empty one in a sheet, if there is room.
    var hasGap = true

    /// Draws the line into the first row of a region, and returns the position of its cursor.
    func draw(in region: Region, _ theme: Theme, on frame: inout Frame) -> Position {
        let start = Position(row: region.row, column: region.column + 2)
        frame.write(sign, at: Position(row: region.row, column: region.column), limit: 1, style: theme.key)
        frame.write(count, row: region.row, endingBefore: region.columnRange.upperBound, style: theme.faint)
        let columns = region.columns - 3 - (count.isEmpty ? 0 : count.count + 1)
        let (inView, offset) = inView(columns: max(2, columns), charset: frame.charset)
        frame.write(inView, at: start, style: style)
        return Position(row: start.row, column: start.column + offset)
    }

    /// The part of the text in view, and the cursor's distance from its start.
    private func inView(columns: Int, charset: Charset) -> (String, cursorOffset: Int) {
        let characters = text.characters
        func width(_ index: Int) -> Int { DisplayText.width(String(characters[index]), charset: charset) }
        // Measures outward from the cursor, so that only the visible part of a long value is measured.
        var (start, cursorOffset) = (text.cursor, 0)
        while start > 0, cursorOffset + width(start - 1) < columns {
            start -= 1
            cursorOffset += width(start)
        }
        var (end, used) = (text.cursor, cursorOffset)
        while end < characters.count, used + width(end) < columns {
            used += width(end)
            end += 1
        }
        return (String(characters[start..<end]), cursorOffset)
    }
}
