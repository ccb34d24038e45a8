/// The effect of a changed override on the value that apps use. Menu and command line print it in the same words.
public struct EffectiveChange: Sendable {
    /// The flag before.
    public let old: FlagFacts
    /// The flag after.
    public let new: FlagFacts

    /// The effects of several changed overrides.
    ///
    /// - Parameters:
    ///   - changes: the overrides that changed together.
    ///   - overrides: all overrides afterwards.
    ///   - board: the flags.
    public static func all(
        _ changes: [OverrideChange], overrides: [String: Override], on board: FlagBoard
    ) -> [EffectiveChange] {
        // Not the overrides from the start: another process may have changed a flag since.
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

    /// A value in a sentence: no value differs from an empty one.
    public static func shown(_ value: String?) -> String {
        value?.orQuotes ?? "not set"
    }
}
