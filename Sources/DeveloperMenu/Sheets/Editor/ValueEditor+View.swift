import FlagModel
import FlagQueries
import TerminalUI

// The view of the JSON editor: numbered lines, folds, and a mark on the line with an error.
extension ValueEditor {
    /// Scrolls the document so that the cursor is in view.
    mutating func layOut(in state: MenuState) {
        if isDocument { scrolled = view(in: state).shown }
    }

    func view(in state: MenuState) -> SheetList { isDocument ? documentView(in: state) : lineView(in: state) }

    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        let view = view(in: state)
        let position = view.draw(on: &frame)
        guard isDocument else { return position }
        drawCursorPosition(in: view.box.region, state.theme, on: &frame)
        let (lines, region) = (lines, view.listRegion)
        let columns = textColumns(of: lines, in: region.columns, state)
        let column = cursorColumn(in: lines, state) - columns.lowerBound
        return Position(
            row: region.row + lines.index(of: field.cursor) - view.shown.top,
            column: region.columnRange.upperBound - columns.count + max(0, min(column, columns.count - 1)))
    }

    private func documentView(in state: MenuState) -> SheetList {
        let facts = state.facts(of: key)
        let columns = min(100, state.size.columns - 4)
        let isCompact = state.size.rows < Layout.roomy.rows
        let gap = isCompact ? [] : [StyledLine()]
        let hint = hint(facts, columns: columns, state)
        // At least 2 rows, so that the sheet keeps its size while the user types.
        let padding = Array(repeating: StyledLine(), count: max(0, 2 - hint.count))
        let (above, below) = (isCompact ? [] : [identity(facts, columns: columns, state)], gap + hint + padding)
        let lines = lines
        let count = lines.lines.count
        let room = max(1, min(SheetFrame.room(on: state.size) - above.count - below.count, max(8, count + 1)))
        let cursor = lines.index(of: field.cursor)
        let inView = textColumns(of: lines, in: columns, state)
        let errorLine = errorIndex.map(lines.line(of:))
        let numberedLines = lines.lines.map { line in
            SheetList.Row(line: numbered(line, in: lines, inView, hasError: line == errorLine, state))
        }
        let empty = Array(repeating: SheetList.Row(line: StyledLine()), count: max(0, room - count))
        return SheetList(
            state, title: facts.name, columns: columns, above: above, rows: numberedLines + empty, below: below,
            top: max(cursor - room + 1, min(scrolled.top, max(0, count - room), cursor)))
    }

    /// The part of a line in some columns, with its number.
    private func numbered(
        _ line: DocumentLines.Line, in lines: DocumentLines, _ columns: Range<Int>, hasError: Bool, _ state: MenuState
    ) -> StyledLine {
        let number = String(line.number)
        let gap = String(repeating: " ", count: Self.digits(of: lines) - number.count)
        return StyledLine(gap + number + (hasError ? "!" : " "), hasError ? state.theme.error : state.theme.faint)
            .adding(" ") + JSONLineText(lines: lines, line: line, state: state).part(columns, state)
    }

    private static func digits(of lines: DocumentLines) -> Int { String(lines.lines.last?.number ?? 1).count }

    /// The columns of the text in view. If the cursor leaves the view, the text scrolls sideways by half of its width.
    private func textColumns(of lines: DocumentLines, in columns: Int, _ state: MenuState) -> Range<Int> {
        let room = max(2, columns - Self.digits(of: lines) - 2)
        let column = cursorColumn(in: lines, state)
        guard column > room - 2 else { return 0..<room }
        let step = max(1, room / 2)
        let left = ((column - (room - 2)) / step + 1) * step
        return left..<left + room
    }

    private func cursorColumn(in lines: DocumentLines, _ state: MenuState) -> Int {
        JSONLineText(lines: lines, line: lines.line(of: field.cursor), state: state).column(of: field.cursor)
    }

    /// Draws line and column of the cursor, counted as in error messages.
    private func drawCursorPosition(in region: Region, _ theme: Theme, on frame: inout Frame) {
        let line = DocumentLines(field.characters).line(of: field.cursor)
        let column = field.characters[line.range.lowerBound..<field.cursor].reduce(1) { $0 + $1.unicodeScalars.count }
        frame.write(
            " line \(line.number), column \(column) ", row: region.row + region.rows - 1,
            endingBefore: region.column + region.columns - 2, style: theme.faint)
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

    // The view of the editor of a value on one line: the flag's description, the input, a hint, and the values of the
    // layers.

    /// The minimum number of rows for the hint if there is room, so that the sheet keeps its size while the user types.
    private static let hintRows = 2

    func lineView(in state: MenuState) -> SheetList {
        let facts = state.facts(of: key)
        let columns = min(72, state.size.columns - 4)
        let hint = hint(facts, columns: columns, state).prefix(max(0, SheetFrame.room(on: state.size) - 2))
        let room = SheetFrame.room(on: state.size) - 2 - hint.count
        let layers = Array(layers(facts, columns: columns, state).prefix(max(0, room - 1)))
        let isRoomy = room >= layers.count + 3
        let detailsText = facts.item?.details?.string ?? ""
        let text = WrappedText(columns: columns, charset: state.charset)
        let details =
            isRoomy && !detailsText.isEmpty ? text.lines(of: detailsText, atMost: room - layers.count - 3) : []
        let gap = isRoomy ? [StyledLine()] : []
        let padding = isRoomy ? max(0, Self.hintRows - hint.count) : 0
        return SheetList(
            state, title: facts.name, columns: columns,
            above: details + [identity(facts, columns: columns, state)] + gap,
            field: .init(
                sign: ">", text: field, style: replacesAll ? state.theme.selection : state.theme.title, hasGap: false),
            below: hint + Array(repeating: StyledLine(), count: padding) + (layers.isEmpty ? [] : gap) + layers)
    }
}
