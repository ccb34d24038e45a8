public import FlagModel

/// The effect of a changed override on the value that apps use. The menu and the command line print the effect in the
/// same words.
public struct EffectiveChange: Sendable {
    /// The flag's facts before the change.
    public let old: FlagFacts
    /// The flag's facts after the change.
    public let new: FlagFacts

    /// An effect.
    public init(old: FlagFacts, new: FlagFacts) { (self.old, self.new) = (old, new) }

    /// The effects of several changed overrides.
    ///
    /// - Parameters:
    ///   - changes: the overrides that changed together.
    ///   - overrides: all overrides afterwards.
    ///   - board: the flags.
    public static func all(
        _ changes: [OverrideChange], overrides: FlagTable<FlagOverride>, on board: FlagBoard
    ) -> [EffectiveChange] {
        // Undoes only these changes: another process may have changed other flags at the same time.
        var oldOverrides = overrides
        for change in changes { oldOverrides[change.key] = change.old }
        return changes.map { change in
            EffectiveChange(
                old: board.facts(of: change.key, overrides: oldOverrides),
                new: board.facts(of: change.key, overrides: overrides))
        }
    }

    /// The change in words: `key: old -> new (was LAYER)`.
    public var sentence: String {
        let oldLayer = old.explanation.winner.map { "was \($0.word)" } ?? "was not set"
        let note = new.explanation.winner == .launch ? "; hidden by this run's launch value" : ""
        return "\(new.key): \(Self.shown(old.value)) -> \(Self.shown(new.value)) (\(oldLayer)\(note))"
    }

    /// A value as shown in sentences: `not set` for `nil`, two quotes for an empty text.
    public static func shown(_ value: String?) -> String {
        value?.orQuotes ?? "not set"
    }
}
