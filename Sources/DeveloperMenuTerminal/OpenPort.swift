package import DeveloperMenu

/// The other targets that a menu can be opened on. Each closure may block, and is not called on the terminal's thread.
package struct OpenPort: Sendable {
    /// The targets to choose from.
    package let choices: @Sendable () -> [OpenChoice]
    /// Reads a target before the menu closes to open it. Returns why the target cannot be opened, as a sentence; `nil`
    /// if it can be.
    package let prepare: @Sendable (OpenTarget) -> String?
    /// Whether the menu offers the choices at the start.
    package var isOffered = false

    /// A port from closures.
    package init(
        choices: @escaping @Sendable () -> [OpenChoice], prepare: @escaping @Sendable (OpenTarget) -> String?
    ) {
        (self.choices, self.prepare) = (choices, prepare)
    }
}
