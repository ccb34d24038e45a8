package import DeveloperMenu

/// What a menu can be opened on instead. Each closure may take its time and is called off the terminal's thread.
package struct OpenPort: Sendable {
    /// What there is to choose from.
    package let choices: @Sendable () -> [OpenChoice]
    /// Reads what the menu is to be opened on, so that it is there once the menu ends for it; why it cannot be opened, as a
    /// sentence.
    package let prepare: @Sendable (OpenTarget) -> String?
    /// Whether the choices are offered at the start.
    package var isOffered = false

    /// A port made of closures.
    package init(
        choices: @escaping @Sendable () -> [OpenChoice], prepare: @escaping @Sendable (OpenTarget) -> String?
    ) {
        (self.choices, self.prepare) = (choices, prepare)
    }
}
