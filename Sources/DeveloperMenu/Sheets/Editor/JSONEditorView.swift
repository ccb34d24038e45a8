import FlagModel
import FlagQueries
import TerminalUI

/// Draws the JSON editor: numbered lines, folds, and a mark on the line with an error.
struct JSONEditorView {
    let state: MenuState
    let editor: ValueEditor
    let facts: FlagFacts
    private let lines: DocumentLines
    private let hint: [StyledLine]

    init(state: MenuState, editor: ValueEditor, facts: FlagFacts) {
        (self.state, self.editor, self.facts) = (state, editor, facts)
        lines = editor.lines
        hint = EditorWords(state: state, editor: editor, facts: facts).hint(columns: Self.columns(state.size))
    }

    private static func columns(_ size: Size) -> Int { min(100, size.columns - 4) }
    private var columns: Int { Self.columns(state.size) }
    /// The number of rows for the hint: at least 2, so that the sheet keeps its size while the user types.
    private var hintRows: Int { max(2, hint.count) }
    private var isCompact: Bool { state.size.rows < Layout.roomy.rows }

    /// The number of lines in view.
    var rows: Int {
        let room = SheetFrame.room(on: state.size) - hintRows - (isCompact ? 0 : 2)
        return max(1, min(room, max(8, lines.lines.count + 1)))
    }

    /// The index of the first line in view, chosen so that the cursor is visible.
    var top: Int {
        let cursor = lines.index(of: editor.field.cursor)
        let top = min(editor.top, max(0, lines.lines.count - rows))
        return max(cursor - rows + 1, min(top, cursor))
    }

    /// Draws the sheet.
    ///
    /// - Returns: the cursor position in the text.
    func draw(on frame: inout Frame) -> Position? {
        let heading = isCompact ? 0 : 1
        let sheet = SheetFrame(lines: heading + rows + (isCompact ? 0 : 1) + hintRows, columns: columns, on: frame.size)
        sheet.draw(title: facts.name, state: state, on: &frame)
        let inside = sheet.inside
        if !isCompact {
            let identity = EditorWords(state: state, editor: editor, facts: facts).identity(columns: columns)
            frame.write(identity, row: inside.row, column: inside.column, columns: inside.columns)
        }
        let region = inside.droppingTop(heading).top(rows)
        let cursor = drawLines(in: region, on: &frame)
        let scrolled = ScrolledLines(count: lines.lines.count, room: rows, top: top)
        sheet.drawScrollHint(beside: region.rowRange, scrolled, on: &frame)
        frame.write(hint, in: inside.droppingTop(inside.rows - hintRows))
        drawCursorPosition(in: sheet, on: &frame)
        return cursor
    }

    /// Draws line and column of the cursor, counted as in error messages.
    private func drawCursorPosition(in sheet: SheetFrame, on frame: inout Frame) {
        let cursor = editor.field.cursor
        let textBefore = editor.field.characters[..<cursor]
        let line = textBefore.count(where: \.isNewline) + 1
        let start = textBefore.lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
        let column = textBefore[start...].reduce(1) { $0 + $1.unicodeScalars.count }
        let region = sheet.region
        frame.write(
            " line \(line), column \(column) ", row: region.row + region.rows - 1,
            endingBefore: region.column + region.columns - 2, style: state.theme.faint)
    }

    private func drawLines(in region: Region, on frame: inout Frame) -> Position? {
        let digits = String(lines.lines.last?.number ?? 1).count
        let width = digits + 2
        let room = max(2, region.columns - width)
        let left = left(columns: room)
        let cursorLine = lines.index(of: editor.field.cursor)
        let errorLine = editor.finding.map { lines.index(of: $0.index) }
        var cursor: Position?
        for (offset, line) in lines.lines.dropFirst(top).prefix(region.rows).enumerated() {
            let (index, row) = (top + offset, region.row + offset)
            let number = String(line.number)
            let hasError = index == errorLine
            frame.write(
                String(repeating: " ", count: digits - number.count) + number + (hasError ? "!" : " "),
                at: Position(row: row, column: region.column), style: hasError ? state.theme.error : state.theme.faint)
            let text = JSONLineText(lines: lines, line: line, state: state)
            text.draw(
                from: left, row: row, column: region.column + width, columns: room, on: &frame)
            if index == cursorLine {
                let column = text.column(of: editor.field.cursor) - left
                cursor = Position(row: row, column: region.column + width + max(0, min(column, room - 1)))
            }
        }
        return cursor
    }

    /// The first column in view. If the cursor leaves the view, the text scrolls sideways by half of the view's width.
    private func left(columns: Int) -> Int {
        let line = lines.line(of: editor.field.cursor)
        let column = JSONLineText(lines: lines, line: line, state: state).column(of: editor.field.cursor)
        guard column > columns - 2 else { return 0 }
        let step = max(1, columns / 2)
        return ((column - (columns - 2)) / step + 1) * step
    }
}

extension ValueEditor {
    /// Scrolls the document so that the cursor is in view.
    mutating func layOut(in state: MenuState) {
        guard isDocument else { return }
        let view = JSONEditorView(state: state, editor: self, facts: state.facts(of: key))
        (rowsInView, top) = (view.rows, view.top)
    }

    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        guard isDocument else { return view(in: state).draw(on: &frame) }
        return JSONEditorView(state: state, editor: self, facts: state.facts(of: key)).draw(on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let facts = state.facts(of: key)
        // In line mode, a rejected text has to be typed again.
        if let error {
            return LineModeSheet(
                lines: ["Not saved. \(error) Type it again; Enter alone goes back."],
                prompt: "New value, again: ")
        }
        let current = facts.override?.value ?? facts.value
        let bounds = bounds.map { ", \($0.summary)" } ?? ""
        let value = current.map { "now \(FlagSentences.stored($0))" } ?? "not set now"
        var lines = ["New value of \(facts.name), \(facts.type.rawValue)\(bounds), \(value). Enter alone keeps it."]
        if type == .json { lines.append("JSON on one line, or on several with a single period after the last.") }
        if type == .string { lines.append("Two double quotes set the empty string.") }
        return LineModeSheet(lines: lines, prompt: "New value: ")
    }
}
