import FlagModel

extension OverrideFile {
    /// The changes that readers see.
    var table: OverrideTable {
        OverrideTable(
            revision: revision,
            overrides: FlagTable(entries.map { ($0.key.string, $0.value.override) }) { first, _ in first },
            contexts: contexts.overrides)
    }
}
