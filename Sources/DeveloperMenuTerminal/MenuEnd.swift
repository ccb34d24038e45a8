public import DeveloperMenu

/// How the menu ended.
public struct MenuEnd: Sendable, Equatable {
    /// Why it closed.
    public let ending: MenuState.Ending
    /// The overrides that stay active, as a sentence to print after the screen is restored; `nil` if there are none, or
    /// if it was printed already.
    public let lastingOverrides: String?

    init(ending: MenuState.Ending, lastingOverrides: String?) {
        (self.ending, self.lastingOverrides) = (ending, lastingOverrides)
    }

    /// The end of a menu with this last state.
    init(_ last: MenuState) {
        self.init(ending: last.ending ?? .left, lastingOverrides: last.lastingOverrides)
    }
}
