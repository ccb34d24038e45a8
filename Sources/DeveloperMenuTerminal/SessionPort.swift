package import DeveloperMenu

/// How the arrangement of the list is stored, and restored at the next start.
package struct SessionPort: Sendable {
    /// The arrangement of the last run.
    package enum Restored: Sendable {
        case nothing
        case session(MenuSession)
        /// The arrangement cannot be read, for a reason that is a sentence.
        case unusable(reason: String)
    }

    /// The arrangement of the last run.
    package let restored: Restored
    /// Stores an arrangement, and ignores errors. It is not called on the terminal's thread.
    package let keep: @Sendable (MenuSession) -> Void

    /// A port from a restored arrangement and a closure.
    package init(restored: Restored, keep: @escaping @Sendable (MenuSession) -> Void) {
        self.restored = restored
        self.keep = keep
    }

    /// The event for the restored arrangement; `nil` if there is none.
    var event: Event? {
        switch restored {
        case .nothing: nil
        case .session(let session): .settings(.sessionRestored(session))
        case .unusable(let reason): .settings(.sessionNotRead(reason: reason))
        }
    }
}
