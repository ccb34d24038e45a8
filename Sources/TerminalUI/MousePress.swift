/// A mouse event at a cell.
public struct MousePress: Sendable, Hashable {
    /// The kinds of events that are reported, with the names that help shows.
    public enum Kind: String, Sendable, CaseIterable {
        /// The left button was pressed.
        case press = "click"
        /// The wheel was rolled: up is away from the user, down is towards the user.
        case wheelUp = "wheel-up", wheelDown = "wheel-down"
    }

    /// The kind of event.
    public var kind: Kind
    /// The cell under the pointer.
    public var position: Position

    /// A mouse event.
    public init(_ kind: Kind, at position: Position) {
        (self.kind, self.position) = (kind, position)
    }
}
