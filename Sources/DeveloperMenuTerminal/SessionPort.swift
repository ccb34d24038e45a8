package import DeveloperMenu

/// How the arrangement of the list comes back at the next start.
package struct SessionPort: Sendable {
    /// How the list was left.
    package enum Restored: Sendable {
        case nothing
        case session(MenuSession)
        /// It is not known, for a reason that is a sentence.
        case unusable(reason: String)
    }

    /// How the list was left.
    package let restored: Restored
    /// Stores an arrangement, off the terminal's thread. An error loses no more than convenience.
    package let keep: @Sendable (MenuSession) -> Void

    /// A port made of a closure.
    package init(restored: Restored, keep: @escaping @Sendable (MenuSession) -> Void) {
        self.restored = restored
        self.keep = keep
    }

    var event: Event? {
        switch restored {
        case .nothing: nil
        case .session(let session): .settings(.sessionRestored(session))
        case .unusable(let reason): .settings(.sessionNotRead(reason: reason))
        }
    }
}
