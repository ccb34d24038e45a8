package import DeveloperMenu

/// How the arrangement of the list is restored at the next start.
package struct SessionPort: Sendable {
    /// The last arrangement.
    package enum Restored: Sendable {
        case nothing
        case session(MenuSession)
        /// It cannot be read, for a reason that is a sentence.
        case unusable(reason: String)
    }

    /// The last arrangement.
    package let restored: Restored
    /// Stores an arrangement, off the terminal's thread. An error has no other effect.
    package let keep: @Sendable (MenuSession) -> Void

    /// A port from a closure.
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
