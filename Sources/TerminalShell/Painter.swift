import CNcurses
import TerminalUI

/// Passes the changed rows of frames to ncurses, which sends only changed cells.
struct Painter {
    /// The last frame; `nil` if the screen may show something else.
    private var shownFrame: Frame?
    private var palette: Palette
    private var isCursorShown = true
    private let showsTrueColor: Bool
    /// The scalars of the last cell. Its memory serves for the next one, which may have fewer.
    private var scalars: [UInt32] = []
    /// The sequences that draw tints. They bypass ncurses, which supports at most 256 colours.
    private(set) var trueColors: [UInt8] = []

    /// - Parameter showsTrueColor: whether the terminal shows 24-bit colours.
    init(palette: Palette, showsTrueColor: Bool = false) {
        (self.palette, self.showsTrueColor) = (palette, showsTrueColor)
    }

    /// Forgets what the screen shows, so that the whole next frame is sent.
    mutating func forget() {
        shownFrame = nil
        clearok(cn_curscr(), true)
    }

    /// Passes a screen to ncurses. `send` then shows it.
    ///
    /// - Returns: the number of changed rows.
    mutating func prepare(_ screen: Screen) -> Int {
        let frame = screen.frame
        if shownFrame?.size != frame.size {
            shownFrame = nil
            werase(cn_stdscr())
        }
        trueColors = []
        let changedRows = (0..<min(frame.size.rows, Int(cn_lines()))).filter { !isShown($0, of: frame) }
        for row in changedRows { paint(row, of: frame) }
        shownFrame = frame
        moveCursor(to: screen.cursor)
        return changedRows.count
    }

    /// Whether the screen shows a row already. To compare a row takes a tenth of the time of passing it to ncurses.
    private func isShown(_ row: Int, of frame: Frame) -> Bool {
        guard let shownFrame, shownFrame.tints == frame.tints else { return false }
        return shownFrame.hasSameRow(row, as: frame)
    }

    /// Sends the prepared screen in one write.
    func send() { wrefresh(cn_stdscr()) }

    private mutating func paint(_ row: Int, of frame: Frame) {
        let limit = min(frame.size.columns, Int(cn_columns()))
        var style = Style.plain
        // Blank cells at the end are erased, which takes far less time than to pass each of them.
        let whole = frame.cells(inRow: row)
        let frameCells = whole[..<(whole.lastIndex { $0 != .blank }.map { $0 + 1 } ?? whole.startIndex)]
        var cells: [cchar_t] = []
        cells.reserveCapacity(min(frameCells.count, limit))
        // The next cell with text, from the current one on.
        var text = frameCells.startIndex
        for (column, index) in frameCells.indices.prefix(limit).enumerated() where !frameCells[index].isContinuation {
            // If the frame is wider than the screen, a wide character that would be cut becomes a space.
            let cell = column + frameCells[index].width > limit ? Cell.blank : frameCells[index]
            let position = Position(row: row, column: column)
            let tint = frame.tints.last { $0.covers(cell, at: position) }?.color
            text = max(text, index)
            while text < frameCells.endIndex, frameCells[text].character == " " { text += 1 }
            // A change of style takes 20 bytes, so a narrow gap has that of the text before. Wide gaps stay plain, as
            // ncurses erases only plain ones.
            let isNarrowGap = index < text && text < min(index + 5, frameCells.endIndex)
            if !isNarrowGap || !Self.isBlankSame(in: style, as: cell.style) { style = cell.style }
            append(cell, style, tint, to: &cells)
            if let tint, showsTrueColor { trueColors += Self.trueColor(of: cell, at: position, on: tint) }
        }
        _ = cells.withUnsafeMutableBufferPointer { buffer in
            mvwadd_wchnstr(cn_stdscr(), Int32(row), 0, buffer.baseAddress, Int32(buffer.count))
        }
        guard frameCells.count < limit else { return }
        wmove(cn_stdscr(), Int32(row), Int32(frameCells.count))
        wclrtoeol(cn_stdscr())
    }

    /// Whether a space looks the same in two styles.
    private static func isBlankSame(in other: Style, as style: Style) -> Bool {
        var other = other
        (other.foreground, other.isBold, other.isDim) = (style.foreground, style.isBold, style.isDim)
        return other == style && !style.isUnderlined && !style.isReversed
    }

    private mutating func append(_ cell: Cell, _ style: Style, _ tint: RGB?, to cells: inout [cchar_t]) {
        let (attributes, pair) = palette.attributes(of: style, tint: tint)
        var count = 0
        for scalar in cell.character.unicodeScalars {
            if count == scalars.count { scalars.append(0) }
            scalars[count] = scalar.value
            count += 1
        }
        var shape = cchar_t()
        if cn_set_cell(&shape, scalars, Int32(count), Int32(cell.width), attributes, pair) {
            cells.append(shape)
        } else {
            // The C library, and therefore ncurses, measures another width for this cell, so everything after it would
            // shift.
            cn_set_cell(&shape, [0x3F], 1, 1, attributes, pair)
            for _ in 0..<cell.width { cells.append(shape) }
        }
    }

    /// The bytes that draw a cell on a colour and then restore the cursor and the style (DECSC and DECRC).
    private static func trueColor(of cell: Cell, at position: Position, on color: RGB) -> [UInt8] {
        let textColor = cell.style.foreground == .black ? "0;0;0" : "255;255;255"
        let bold = cell.style.isBold ? ";1" : ""
        let background = "\(color.red);\(color.green);\(color.blue)"
        return Array(
            "\u{1B}7\u{1B}[\(position.row + 1);\(position.column + 1)H\u{1B}[0\(bold);38;2;\(textColor);48;2;\(background)m\(cell.character)\u{1B}8"
                .utf8)
    }

    private mutating func moveCursor(to position: Position?) {
        let cursor = position.flatMap { cell in
            cell.row >= 0 && cell.row < cn_lines() && cell.column >= 0 && cell.column < cn_columns() ? cell : nil
        }
        if isCursorShown != (cursor != nil) {
            isCursorShown = cursor != nil
            curs_set(isCursorShown ? 1 : 0)
        }
        leaveok(cn_stdscr(), cursor == nil)
        if let cursor { wmove(cn_stdscr(), Int32(cursor.row), Int32(cursor.column)) }
    }
}
