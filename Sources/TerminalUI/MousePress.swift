/// A mouse event, with its cell.
public struct MousePress: Sendable, Hashable {
    /// The kind of event; others are not reported.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The left button went down.
        case press
        /// The wheel turned, away from the user and towards them.
        case wheelUp, wheelDown
    }

    /// The kind.
    public var kind: Kind
    /// The cell under the pointer.
    public var position: Position

    /// A press of the mouse.
    public init(_ kind: Kind, at position: Position) {
        self.kind = kind
        self.position = position
    }
}
