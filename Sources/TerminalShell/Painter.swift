import CNcurses
import TerminalUI

/// Passes frames to ncurses, by row, and only changed rows; ncurses sends only changed cells.
struct Painter {
    private var shown: Frame?
    private var palette: Palette
    private var isCursorShown = true
    /// The cursor's position since the last frame; `nil` if it is not known.
    private var cursor: Position?
    private let showsTrueColor: Bool
    /// The sequences for tints, which bypass ncurses, as it knows 256 colours at most.
    private(set) var trueColors: [UInt8] = []

    /// - Parameter showsTrueColor: whether the terminal shows every colour.
    init(palette: Palette, showsTrueColor: Bool = false) {
        self.palette = palette
        self.showsTrueColor = showsTrueColor
    }

    /// Forgets what is on the screen, so that the next frame is sent as a whole.
    mutating func forget() {
        shown = nil
        clearok(cn_curscr(), true)
    }

    /// Passes a screen to ncurses; `send` shows it.
    ///
    /// - Returns: how many rows differ from those that are shown.
    mutating func prepare(_ screen: Screen) -> Int {
        let frame = screen.frame
        let rows = min(frame.size.rows, Int(cn_lines()))
        let known = shown?.size == frame.size ? shown : nil
        if known == nil { werase(cn_stdscr()) }
        if let known, let cursor { eraseRest(of: known, at: cursor, for: frame) }
        var changedRows = 0
        trueColors = []
        for row in 0..<rows where !(known?.hasSameRow(row, as: frame) ?? false) {
            paint(row, of: frame)
            changedRows += 1
        }
        shown = frame
        place(screen.cursor)
        return changedRows
    }

    /// Sends the prepared screen, in one write.
    func send() { wrefresh(cn_stdscr()) }

    /// Erases the row of the cursor, from there on, if many of its cells become blank.
    ///
    /// That is the row that was selected and filled. Without a sequence that erases some cells (ech), which tmux lacks,
    /// ncurses sends each blank between name and value. The cursor is there already, so this takes three bytes.
    private func eraseRest(of known: Frame, at cursor: Position, for frame: Frame) {
        guard cn_capability("ech") == nil, !known[cursor.row, cursor.column].isContinuation else { return }
        let columns = cursor.column..<frame.size.columns
        let saved = columns.count { frame[cursor.row, $0] == .blank && known[cursor.row, $0] != .blank }
        let isAnyKept = columns.contains {
            known[cursor.row, $0] == frame[cursor.row, $0] && known[cursor.row, $0] != .blank
        }
        guard saved > Self.leastErased, !isAnyKept else { return }
        wmove(cn_stdscr(), Int32(cursor.row), Int32(cursor.column))
        wclrtoeol(cn_stdscr())
        send()
    }

    /// Fewer blanks are sent unchanged: erasing them and moving to the next cell takes as many bytes.
    private static let leastErased = 10

    private mutating func paint(_ row: Int, of frame: Frame) {
        let limit = min(frame.size.columns, Int(cn_columns()))
        var cells: [cchar_t] = []
        cells.reserveCapacity(limit)
        frame.withCells(ofRow: row) { all in
            let tints = frame.tints.filter { $0.region.rowRange.contains(row) }
            for column in 0..<limit where !all[column].isContinuation {
                // Half a wide character: the frame is currently wider than the screen.
                let isCut = column + all[column].width > limit
                let cell = isCut ? frame[row, frame.size.columns] : all[column]
                let place = Position(row: row, column: column)
                let tint = tints.isEmpty ? nil : tints.last { $0.covers(cell, at: place) }?.color
                append(cell, tint, to: &cells)
                if let tint, showsTrueColor { trueColors += TrueColor.bytes(cell, at: place, on: tint) }
            }
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
            // The C library, and so ncurses, would count other columns than we do, and everything after it would shift.
            cn_set_cell(&shape, [0x3F], 1, 1, attributes, pair)
            for _ in 0..<cell.width { cells.append(shape) }
        }
    }

    private mutating func place(_ cursor: Position?) {
        let place = cursor.flatMap { place in
            place.row >= 0 && place.row < cn_lines() && place.column >= 0 && place.column < cn_columns() ? place : nil
        }
        if isCursorShown != (place != nil) {
            isCursorShown = place != nil
            curs_set(isCursorShown ? 1 : 0)
        }
        self.cursor = place
        leaveok(cn_stdscr(), place == nil)
        if let place { wmove(cn_stdscr(), Int32(place.row), Int32(place.column)) }
    }
}

extension Frame {
    fileprivate func hasSameRow(_ row: Int, as other: Frame) -> Bool {
        if !tints.isEmpty || !other.tints.isEmpty, tints(inRow: row) != other.tints(inRow: row) { return false }
        return withCells(ofRow: row) { mine in other.withCells(ofRow: row) { mine.elementsEqual($0) } }
    }

    private func tints(inRow row: Int) -> [Tint] { tints.filter { $0.region.rowRange.contains(row) } }
}

/// Colours that ncurses does not know.
enum TrueColor {
    /// Whether the terminal shows every colour, from the usual variable.
    static func isTold(by variable: String?) -> Bool { variable == "truecolor" || variable == "24bit" }

    /// The bytes that set a cell's background: cursor and style are restored afterwards (DECSC and DECRC).
    static func bytes(_ cell: Cell, at place: Position, on color: RGB) -> [UInt8] {
        let letters = cell.style.foreground == .black ? "0;0;0" : "255;255;255"
        let bold = cell.style.isBold ? ";1" : ""
        let background = "\(color.red);\(color.green);\(color.blue)"
        return Array(
            "\u{1B}7\u{1B}[\(place.row + 1);\(place.column + 1)H\u{1B}[0\(bold);38;2;\(letters);48;2;\(background)m\(cell.character)\u{1B}8"
                .utf8)
    }
}
