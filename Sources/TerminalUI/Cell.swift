/// One column of one row. Only frames create cells, so every cell is safe to show.
public struct Cell: Sendable, Hashable {
    /// The character: one grapheme cluster without control characters; a space in a continuation.
    public internal(set) var character: Character
    /// The style of the cell.
    public internal(set) var style: Style
    /// The number of columns of the character, 1 or 2; 0 for the second half of a wide cell.
    public internal(set) var width: Int
    /// Whether this is the second half of the wide cell to the left.
    public var isContinuation: Bool { width == 0 }

    /// A space in the terminal's own style.
    public static let blank = Cell(character: " ", style: .plain, width: 1)
}
