package import FlagQueries

/// The other targets that a menu can be opened on. The closures may block; they are not called on the terminal's
/// thread.
package struct OpenPort: Sendable {
    /// The targets to choose from.
    package let choices: @Sendable () -> [OpenChoice]
    /// Reads a target before the menu closes to open the target. Returns `nil` if the target can be opened, otherwise a
    /// sentence with the reason.
    package let prepare: @Sendable (OpenTarget) -> String?
    /// Whether the menu offers the targets at the start.
    package var isOffered = false

    /// A port from closures.
    package init(
        choices: @escaping @Sendable () -> [OpenChoice], prepare: @escaping @Sendable (OpenTarget) -> String?
    ) {
        (self.choices, self.prepare) = (choices, prepare)
    }
}
