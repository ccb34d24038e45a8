public import DeveloperMenu

/// How the menu ended.
public struct MenuEnd: Sendable, Equatable {
    /// Why the menu closed.
    public let ending: MenuEnding
    /// A sentence about the overrides that stay active, to print after the screen is restored; `nil` if no override is
    /// active or the sentence has already been printed.
    public let lastingOverrides: String?

    /// The end of a menu whose last state is `last`.
    init(_ last: MenuState, hasPrintedOverrides: Bool = false) {
        ending = last.ending ?? .left
        lastingOverrides = hasPrintedOverrides ? nil : last.lastingOverrides
    }
}
