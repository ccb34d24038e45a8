public import DeveloperMenu

/// How the menu was left.
public struct MenuEnd: Sendable, Equatable {
    /// Why it closed.
    public let ending: MenuState.Ending
    /// What stays in force, as a sentence to be said where the screen was; `nil` where nothing does, or where it was
    /// said already.
    public let lastingOverrides: String?

    init(ending: MenuState.Ending, lastingOverrides: String?) {
        (self.ending, self.lastingOverrides) = (ending, lastingOverrides)
    }

    init(_ last: MenuState) {
        self.init(ending: last.ending ?? .left, lastingOverrides: last.lastingOverrides)
    }
}
