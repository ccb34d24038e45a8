import FlagModel

extension MenuState {
    /// The overrides that stay active after leaving the menu, and how to clear them, as a sentence; `nil` if there are
    /// none.
    ///
    /// Apps still read overrides that are no longer visible, so leaving shows them.
    public var lastingOverrides: String? {
        guard overrideCount > 0 else { return nil }
        let isOne = overrideCount == 1
        let fact = "\(overrideCount.counted("override")) \(isOne ? "is" : "are") in force for \(subject.app)"
        // A read-only menu does not show how to change them.
        guard !preferences.isReadOnly, let clearing = command("reset", options: ["--all"]).text else {
            return "\(fact)."
        }
        return "\(fact); `\(clearing)` clears \(isOne ? "it" : "them")."
    }
}
