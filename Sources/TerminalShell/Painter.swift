import CNcurses
import TerminalUI

/// Passes frames to ncurses, which sends only changed cells.
struct Painter {
    private var palette: Palette
    private var isCursorShown = true
    private let showsTrueColor: Bool
    /// The sequences that draw tints. They bypass ncurses, which supports at most 256 colours.
    private(set) var trueColors: [UInt8] = []

    /// - Parameter showsTrueColor: whether the terminal shows 24-bit colours.
    init(palette: Palette, showsTrueColor: Bool = false) {
        self.palette = palette
        self.showsTrueColor = showsTrueColor
    }

    /// Forgets what the screen shows, so that the whole next frame is sent.
    func forget() { clearok(cn_curscr(), true) }

    /// Passes a screen to ncurses. `send` then shows it.
    mutating func prepare(_ screen: Screen) {
        werase(cn_stdscr())
        trueColors = []
        for row in 0..<min(screen.frame.size.rows, Int(cn_lines())) { paint(row, of: screen.frame) }
        moveCursor(to: screen.cursor)
    }

    /// Sends the prepared screen in one write.
    func send() { wrefresh(cn_stdscr()) }

    private mutating func paint(_ row: Int, of frame: Frame) {
        let limit = min(frame.size.columns, Int(cn_columns()))
        var cells: [cchar_t] = []
        for column in 0..<limit where !frame[row, column].isContinuation {
            // If the frame is wider than the screen, a wide character that would be cut becomes a space.
            let isCut = column + frame[row, column].width > limit
            let cell = isCut ? Cell.blank : frame[row, column]
            let position = Position(row: row, column: column)
            let tint = frame.tints.last { $0.covers(cell, at: position) }?.color
            append(cell, tint, to: &cells)
            if let tint, showsTrueColor { trueColors += TrueColor.bytes(cell, at: position, on: tint) }
        }
        _ = cells.withUnsafeMutableBufferPointer { buffer in
            mvwadd_wchnstr(cn_stdscr(), Int32(row), 0, buffer.baseAddress, Int32(buffer.count))
        }
    }

    private mutating func append(_ cell: Cell, _ tint: RGB?, to cells: inout [cchar_t]) {
        let (attributes, pair) = palette.attributes(of: cell.style, tint: tint)
        let scalars = cell.character.unicodeScalars.map(\.value)
        var shape = cchar_t()
        if cn_set_cell(&shape, scalars, Int32(scalars.count), Int32(cell.width), attributes, pair) {
            cells.append(shape)
        } else {
            // The C library, and therefore ncurses, measures another width for this cell, so everything after it would
            // shift.
            cn_set_cell(&shape, [0x3F], 1, 1, attributes, pair)
            for _ in 0..<cell.width { cells.append(shape) }
        }
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

/// 24-bit colours, which ncurses does not support.
enum TrueColor {
    /// The bytes that draw a cell on a colour and then restore the cursor and the style (DECSC and DECRC).
    static func bytes(_ cell: Cell, at position: Position, on color: RGB) -> [UInt8] {
        let textColor = cell.style.foreground == .black ? "0;0;0" : "255;255;255"
        let bold = cell.style.isBold ? ";1" : ""
        let background = "\(color.red);\(color.green);\(color.blue)"
        return Array(
            "\u{1B}7\u{1B}[\(position.row + 1);\(position.column + 1)H\u{1B}[0\(bold);38;2;\(textColor);48;2;\(background)m\(cell.character)\u{1B}8"
                .utf8)
    }
}
