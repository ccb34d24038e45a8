import FlagModel

extension OverrideFile {
    /// The overrides that readers see.
    var table: OverrideTable { view.table }

    /// The overrides that readers see, and a sentence for each key that they cannot see.
    ///
    /// Readers use a Swift dictionary, in which canonically equivalent keys ("é" as one scalar or as two) are equal. Of
    /// such keys, only the first in the order of Unicode scalars is visible.
    var view: (table: OverrideTable, issues: [String]) {
        var overrides: [String: Override] = [:]
        overrides.reserveCapacity(entries.count)
        var ambiguousKeys: Set<String> = []
        for (key, entry) in entries {
            let key = key.string
            guard let place = overrides.index(forKey: key) else {
                overrides[key] = entry.override
                continue
            }
            ambiguousKeys.insert(key)
            guard FlagText(key) < FlagText(overrides[place].key) else { continue }
            overrides.remove(at: place)
            overrides[key] = entry.override
        }
        let issues = ambiguousKeys.isEmpty ? [] : hiddenKeyIssues(among: ambiguousKeys, visible: overrides)
        return (OverrideTable(revision: revision, overrides: overrides), issues)
    }

    /// A sentence for each key that readers cannot see.
    private func hiddenKeyIssues(
        among ambiguousKeys: Set<String>, visible overrides: [String: Override]
    ) -> [String] {
        entries.keys.sorted().compactMap { key in
            let string = key.string
            guard ambiguousKeys.contains(string), let place = overrides.index(forKey: string) else { return nil }
            let visibleKey = overrides[place].key
            guard FlagText(visibleKey) != key else { return nil }
            return
                "the keys \(Self.spelled(visibleKey)) and \(Self.spelled(string)) are the same text in different "
                + "spellings; the first is used, the second has no effect"
        }
    }

    /// The key in quotes and in ASCII, as equivalent keys look the same on a screen.
    private static func spelled(_ key: String) -> String {
        let scalars = key.unicodeScalars
        let text = scalars.prefix(30).map { $0.escaped(asASCII: true) }.joined()
        return "\"\(text)\(scalars.count > 30 ? "..." : "")\""
    }
}
