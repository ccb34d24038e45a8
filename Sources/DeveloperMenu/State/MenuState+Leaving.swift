import FlagModel

extension MenuState {
    /// What stays in force after the menu is left, and how to end it, as a sentence; `nil` where nothing does.
    ///
    /// Apps go on reading overrides that nobody sees any more, so whoever leaves is told of them.
    public var lastingOverrides: String? {
        guard overrideCount > 0 else { return nil }
        let isOne = overrideCount == 1
        let fact = "\(overrideCount.counted("override")) \(isOne ? "is" : "are") in force for \(subject.app)"
        // What may change nothing here is not told how to.
        guard !preferences.isReadOnly, let clearing = command("reset", options: ["--all"]).text else {
            return "\(fact)."
        }
        return "\(fact); `\(clearing)` clears \(isOne ? "it" : "them")."
    }
}
