/// The content of the terminal: a frame, and the position of the cursor.
///
/// Screen readers follow the cursor, so the cursor should be on the selected row or in the field that is being edited.
public struct Screen: Sendable, Equatable {
    /// The cells.
    public var frame: Frame
    /// The cursor's position, or `nil` to hide it.
    public var cursor: Position?

    /// A screen.
    public init(frame: Frame, cursor: Position? = nil) {
        (self.frame, self.cursor) = (frame, cursor)
    }
}
