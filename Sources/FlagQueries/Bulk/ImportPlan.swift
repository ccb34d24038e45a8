public import FlagModel

/// The checked entries of an imported file, for the menu and the command line.
public struct ImportPlan: Sendable, Hashable {
    /// What can be imported: the values that passed the check, and the contexts of sources that are open here. The
    /// issues are unreadable entries in the order of the file, then those that failed the check, by key, then the
    /// contexts of other sources.
    package let entries: ImportEntries

    /// Checks every entry.
    ///
    /// - Parameters:
    ///   - allowsAny: whether invalid values pass the check, too.
    ///   - board: the flags.
    ///   - evaluations: the sources that have a context or conditions.
    ///   - facts: returns the facts of the flag with a key; `nil` if no flag has the key.
    package init(
        _ entries: ImportEntries, allowsAny: Bool = false, on board: FlagBoard,
        evaluations: [SourceEvaluation] = [], facts: (String) -> FlagFacts?
    ) {
        let known = Set(evaluations.map { FlagText($0.source) })
        let contexts = entries.contexts?.renamed(evaluations.localName)
        var checked = entries
        checked.contexts = contexts?.filter { known.contains(FlagText($0.key)) }
        checked.values = [:]
        for (key, value) in entries.values.sortedByKey {
            guard let facts = facts(key) else {
                let reason = ImportIssue.Reason.unknown(board.sentence(onUnknown: key), value: value)
                checked.issues.append(ImportIssue(key: key, reason: reason))
                continue
            }
            switch facts.check(on: value) {
            case .valid(let stored): checked.values[key] = stored
            // Set as text with --any, although the values of the other layers are JSON.
            case .invalid where facts.editedType != facts.type && facts.type.accepts(value):
                checked.values[key] = value
            case .notAnOption(let sentence), .invalid(let sentence):
                if allowsAny {
                    checked.values[key] = value
                } else {
                    checked.issues.append(ImportIssue(key: key, reason: .invalid(sentence)))
                }
            }
        }
        for (name, _) in contexts?.sortedByKey ?? [] where !known.contains(FlagText(name)) {
            let sentence = "No source of this name with a context or conditions is open here, or several are."
            checked.issues.append(ImportIssue(key: FilePath.portable(name), reason: .unknownSource(sentence)))
        }
        self.entries = checked
    }

    /// The values of keys that no flag has.
    public var unknownValues: FlagTable<String> {
        entries.issues.reduce(into: [:]) { values, issue in
            if case .unknown(_, let value) = issue.reason { values[issue.key] = value }
        }
    }

    /// The values to import, optionally with those of unknown keys.
    public func values(withUnknown: Bool) -> FlagTable<String> {
        withUnknown ? entries.values.merging(unknownValues) { checked, _ in checked } : entries.values
    }

    /// The entries that are not imported: all that failed the check, except entries with unknown keys if `withUnknown`
    /// is true.
    public func leftOut(withUnknown: Bool) -> [ImportIssue] {
        guard withUnknown else { return entries.issues }
        return entries.issues.filter { if case .unknown = $0.reason { false } else { true } }
    }
}

extension FlagBoard {
    /// Checks entries against the flags of this board. Overrides do not make a key known.
    package func plan(_ entries: ImportEntries, for evaluations: [SourceEvaluation]) -> ImportPlan {
        ImportPlan(entries, on: self, evaluations: evaluations) { key in
            catalog.index(of: FlagText(key)).map(facts(at:))
        }
    }

    /// The plan to apply a scenario over changes, which are those of this board.
    ///
    /// - Throws: what is wrong with the file as a whole.
    package func plan(
        _ scenario: ScenarioFile, for evaluations: [SourceEvaluation], over table: OverrideTable, replacing: Bool
    ) throws(InvalidText) -> ScenarioPlan {
        ScenarioPlan(
            scenario.name, plan(try scenario.content.get(), for: evaluations), over: table, replacing: replacing
        ) { facts(of: FlagText($0)) }
    }
}
