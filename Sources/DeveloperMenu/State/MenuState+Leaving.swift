import FlagModel
import FlagQueries

extension MenuState {
    /// A sentence about the changes that stay active after leaving the menu, and how to reset them; `nil` if there are
    /// none.
    ///
    /// Apps still use these changes after the menu is closed, so leaving prints this sentence.
    public var lastingOverrides: String? {
        guard changeCount > 0 else { return nil }
        let isOne = changeCount == 1
        let fact = "\(changes.changesCounted) \(isOne ? "is" : "are") active for \(target.app)"
        // A read-only menu does not show how to clear overrides.
        // The team's address would look as if the command cleared the team's values.
        var settings = target.arguments
        if let team = settings.firstIndex(of: "--team") {
            settings.removeSubrange(team..<min(team + 2, settings.count))
        }
        let clearing = ShellCommand("reset", options: ["--all"], operands: [], settings: settings)
        guard !preferences.isReadOnly, let clearing = clearing.text else { return "\(fact)." }
        return "\(fact); `\(clearing)` resets \(isOne ? "it" : "them")."
    }
}
