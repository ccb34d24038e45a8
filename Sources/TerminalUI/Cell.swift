/// One column of one row. Only frames create cells, so every cell is safe to show.
public struct Cell: Sendable, Hashable {
    /// The character: one cluster without controls; a space in a continuation.
    public internal(set) var character: Character
    /// Its style.
    public internal(set) var style: Style
    /// The columns that the character takes, 1 or 2; 0 for the second half of the wide cell before it.
    public var width: Int { Int(columns) }
    /// Whether this is the second half of the wide cell before it.
    public var isContinuation: Bool { columns == 0 }

    /// `width` in one byte.
    var columns: UInt8

    /// A space in the terminal's own style.
    public static let blank = Cell(character: " ", style: .plain, columns: 1)
}
