import TerminalUI

/// An edited line of text, scrolled so that its cursor is in view.
struct FieldLine {
    private let text: String
    private let column: Int
    let cursorColumn: Int

    init(_ field: TextField, column: Int, columns: Int, charset: Charset) {
        let columns = max(2, columns)
        let characters = field.characters
        func width(_ index: Int) -> Int { DisplayText.width(String(characters[index]), charset: charset) }
        // Measures outward from the cursor, so that only the visible part of a long value is measured.
        var (start, cursorOffset) = (field.cursor, 0)
        while start > 0, cursorOffset + width(start - 1) < columns {
            start -= 1
            cursorOffset += width(start)
        }
        var (end, used) = (field.cursor, cursorOffset)
        while end < characters.count, used + width(end) < columns {
            used += width(end)
            end += 1
        }
        text = String(characters[start..<end])
        self.column = column
        cursorColumn = column + cursorOffset
    }

    func draw(row: Int, style: Style = .plain, on frame: inout Frame) {
        frame.write(text, at: Position(row: row, column: column), style: style)
    }
}
