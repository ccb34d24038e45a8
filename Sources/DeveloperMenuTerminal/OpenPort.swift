package import DeveloperMenu

/// What a menu can be opened on instead. Each closure may block and is called off the terminal's thread.
package struct OpenPort: Sendable {
    /// The choices.
    package let choices: @Sendable () -> [OpenChoice]
    /// Reads what the menu should be opened on, so that it is there when the menu ends for it; returns why it cannot be
    /// opened, as a sentence.
    package let prepare: @Sendable (OpenTarget) -> String?
    /// Whether the choices are offered at the start.
    package var isOffered = false

    /// A port from closures.
    package init(
        choices: @escaping @Sendable () -> [OpenChoice], prepare: @escaping @Sendable (OpenTarget) -> String?
    ) {
        (self.choices, self.prepare) = (choices, prepare)
    }
}
