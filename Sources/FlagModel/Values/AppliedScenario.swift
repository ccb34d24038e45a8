/// The scenario that was applied last, with its content at that time, so that deviations from it can be counted.
public struct AppliedScenario: Sendable, Hashable {
    /// The name of the scenario.
    public let name: String
    /// The values of its overrides by key.
    public let overrides: FlagTable<String>
    /// Its changes of contexts and conditions, by the names of sources.
    public let contexts: FlagTable<ContextOverride>

    /// A scenario that is applied now.
    public init(name: String, overrides: FlagTable<String>, contexts: FlagTable<ContextOverride> = [:]) {
        (self.name, self.overrides, self.contexts) = (name, overrides, contexts)
    }

    /// The same scenario under another name.
    package func renamed(to name: String) -> AppliedScenario {
        AppliedScenario(name: name, overrides: overrides, contexts: contexts)
    }

    /// The scenario as it is stored.
    package var json: JSONOutput {
        .object([
            ("name", .string(name)),
            ("overrides", .object(overrides.sortedByKey.map { ($0.key, .string($0.value)) })),
            ("contexts", .object(contexts.sortedByKey.map { ($0.key, $0.value.json) })),
        ])
    }

    /// Reads a stored scenario; `nil` if it has no name.
    package init?(reading value: JSONValue) {
        guard let name = value["name"]?.text else { return nil }
        self.init(
            name: name.string, overrides: FlagTable(membersOf: value["overrides"]) { $0.text?.string },
            contexts: FlagTable(membersOf: value["contexts"]) { ContextOverride(reading: $0) })
    }
}

extension OverrideTable {
    /// The number of changes that differ from those of the applied scenario: other values, and changes that only one of
    /// them has.
    public var deviationCount: Int {
        guard let scenario else { return 0 }
        return overrides.mapValues(\.value).changedKeys(from: scenario.overrides).count
            + contexts.changes(from: scenario.contexts).count
    }

    /// The applied scenario in words: `checkout`, or `checkout +1` if one change deviates from it; `nil` without one.
    package var scenarioWords: String? {
        scenario.map { deviating($0.name) }
    }

    /// Whether a scenario is the applied one, in words: `applied`, or `applied +1`; `nil` if it is not.
    package func appliedWords(of name: String) -> String? { scenario?.name == name ? deviating("applied") : nil }

    /// Words with the number of changes that deviate, if any do.
    private func deviating(_ words: String) -> String {
        let count = deviationCount
        return count == 0 ? words : "\(words) +\(count)"
    }
}
