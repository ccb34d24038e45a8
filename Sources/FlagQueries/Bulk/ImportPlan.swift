public import FlagModel

/// The checked entries of an imported file, for the menu and the command line.
public struct ImportPlan: Sendable, Hashable {
    /// The values of the entries that passed the check, by key.
    public let values: FlagTable<String>
    /// Why overrides exist, by key.
    public let notes: FlagTable<String>
    /// How long overrides are to stay, by key.
    public let lives: FlagTable<OverrideLife>
    /// The entries that failed the check: unreadable ones in the order of the file, then the rest by key.
    public let issues: [ImportIssue]
    /// The app that is named in the file; `nil` if there is none.
    public let app: String?
    /// The changes of contexts and conditions of sources that are open here; `nil` if the file has none.
    public let contexts: FlagTable<ContextOverride>?
    /// The names of other sources, whose contexts are left out.
    public let unknownSources: [String]

    /// Checks every entry.
    ///
    /// - Parameters:
    ///   - allowsAny: whether invalid values pass the check, too.
    ///   - board: the flags.
    ///   - sources: the names of the sources that have a context or conditions.
    ///   - facts: returns the facts of the flag with a key; `nil` if no flag has the key.
    package init(
        _ entries: ImportEntries, allowsAny: Bool = false, on board: FlagBoard, sources: [String] = [],
        facts: (String) -> FlagFacts?
    ) {
        let known = Set(sources.map { FlagText($0) })
        contexts = entries.contexts?.filter { known.contains(FlagText($0.key)) }
        unknownSources = entries.contexts?.sortedByKey.map(\.key).filter { !known.contains(FlagText($0)) } ?? []
        var values: FlagTable<String> = [:]
        var issues = entries.issues
        for (key, value) in entries.values.sortedByKey {
            guard let facts = facts(key) else {
                issues.append(ImportIssue(key: key, reason: .unknown(board.sentence(onUnknown: key), value: value)))
                continue
            }
            switch facts.check(on: value) {
            case .valid(let stored): values[key] = stored
            // Set as text with --any, although the values of the other layers are JSON.
            case .invalid where facts.editedType != facts.type && facts.type.accepts(value): values[key] = value
            case .notAnOption(let sentence), .invalid(let sentence):
                if allowsAny {
                    values[key] = value
                } else {
                    issues.append(ImportIssue(key: key, reason: .invalid(sentence)))
                }
            }
        }
        (self.values, self.issues, app) = (values, issues, entries.app)
        (notes, lives) = (entries.notes, entries.lives)
    }

    /// The values of keys that no flag has.
    public var unknownValues: FlagTable<String> {
        issues.reduce(into: [:]) { values, issue in
            if case .unknown(_, let value) = issue.reason { values[issue.key] = value }
        }
    }

    /// The values to import, optionally with those of unknown keys.
    public func values(withUnknown: Bool) -> FlagTable<String> {
        withUnknown ? values.merging(unknownValues) { checked, _ in checked } : values
    }

    /// The entries that are not imported: all that failed the check, except entries with unknown keys if `withUnknown`
    /// is true.
    public func leftOut(withUnknown: Bool) -> [ImportIssue] {
        guard withUnknown else { return issues }
        return issues.filter { if case .unknown = $0.reason { false } else { true } }
    }
}

extension FlagBoard {
    /// Checks entries against the flags of this board. Overrides do not make a key known.
    package func plan(_ entries: ImportEntries, for sources: [String]) -> ImportPlan {
        ImportPlan(entries, on: self, sources: sources) { key in catalog.index(of: FlagText(key)).map(facts(at:)) }
    }

    /// The plan to apply a scenario over changes, which are those of this board.
    ///
    /// - Throws: what is wrong with the file as a whole.
    package func plan(
        _ scenario: ScenarioFile, for sources: [String], over table: OverrideTable, replacing: Bool
    ) throws(InvalidText) -> ScenarioPlan {
        ScenarioPlan(
            scenario.name, plan(try scenario.content.get(), for: sources), over: table, replacing: replacing
        ) { facts(of: FlagText($0)) }
    }
}
