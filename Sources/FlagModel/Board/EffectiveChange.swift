/// What a changed override did to the value that apps use. Menu and command line tell it in the same words.
public struct EffectiveChange: Sendable {
    /// The flag before.
    public let old: FlagFacts
    /// The flag after.
    public let new: FlagFacts

    /// What each of several changed overrides did.
    ///
    /// - Parameters:
    ///   - changes: the changed overrides, made at once.
    ///   - overrides: all overrides that hold afterwards.
    ///   - board: the flags.
    public static func all(
        _ changes: [OverrideChange], overrides: [String: Override], on board: FlagBoard
    ) -> [EffectiveChange] {
        // Not the overrides that were read at the start: somebody else may have changed a flag since.
        var before = overrides
        for change in changes { before[change.key] = change.old }
        return changes.map { change in
            EffectiveChange(
                old: board.facts(of: change.key, overrides: before),
                new: board.facts(of: change.key, overrides: overrides))
        }
    }

    /// `key: old -> new (was LAYER)`.
    public var sentence: String {
        let was = old.explanation.winner.map { "was \($0.word)" } ?? "was not set"
        let note = new.explanation.winner == .launch ? "; hidden by this run's launch value" : ""
        return "\(new.key): \(Self.shown(old.value)) -> \(Self.shown(new.value)) (\(was)\(note))"
    }

    /// A value in a sentence: nothing is told apart from empty.
    public static func shown(_ value: String?) -> String {
        value?.orQuotes ?? "not set"
    }
}
