public import DeveloperMenu

/// How the menu was left.
public struct MenuEnd: Sendable, Equatable {
    /// Why it closed.
    public let ending: MenuState.Ending
    /// What stays in force, as a sentence to be said where the screen was; `nil` where nothing does, or where it was
    /// said already.
    public let lastingOverrides: String?
}
