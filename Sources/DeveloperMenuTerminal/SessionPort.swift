public import DeveloperMenu

/// How the arrangement of the list comes back at the next start.
public struct SessionPort: Sendable {
    /// How the list was left; `nil` where it begins anew.
    public let restored: Event?
    /// Stores an arrangement, off the terminal's thread. What goes wrong loses no more than convenience.
    public let keep: @Sendable (MenuSession) -> Void

    /// A port made of a closure.
    public init(restored: Event?, keep: @escaping @Sendable (MenuSession) -> Void) {
        self.restored = restored
        self.keep = keep
    }
}
