package import DeveloperMenu

/// How the arrangement of the list is saved, and restored at the next start.
package struct SessionPort: Sendable {
    /// The arrangement of the last run.
    package enum Restored: Sendable {
        case nothing
        case session(MenuSession)
        /// The arrangement cannot be read. The reason is a sentence.
        case unusable(reason: String)
    }

    /// The arrangement of the last run.
    package let restored: Restored
    /// Saves an arrangement, and ignores errors. It is not called on the terminal's thread.
    package let keep: @Sendable (MenuSession) -> Void

    /// Creates a port from a restored arrangement and a closure that saves arrangements.
    package init(restored: Restored, keep: @escaping @Sendable (MenuSession) -> Void) {
        self.restored = restored
        self.keep = keep
    }

    /// The event for the restored arrangement; `nil` if no arrangement was restored.
    var event: Event? {
        switch restored {
        case .nothing: nil
        case .session(let session): .settings(.sessionRestored(session))
        case .unusable(let reason): .settings(.sessionNotRead(reason: reason))
        }
    }
}
