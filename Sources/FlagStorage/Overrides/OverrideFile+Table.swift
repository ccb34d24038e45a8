import FlagModel

extension OverrideFile {
    /// The overrides that readers see.
    var table: OverrideTable { view.table }

    /// The overrides that readers see, and a sentence for each one that they cannot see.
    ///
    /// Readers use a Swift dictionary, in which keys are equal if they are canonically equivalent ("é" in one scalar or
    /// in two). Of those the first by Unicode scalars is active.
    var view: (table: OverrideTable, problems: [String]) {
        var overrides: [String: Override] = [:]
        overrides.reserveCapacity(entries.count)
        var twins: Set<String> = []
        for (key, entry) in entries {
            let key = key.string
            guard let place = overrides.index(forKey: key) else {
                overrides[key] = entry.override
                continue
            }
            twins.insert(key)
            guard FlagText(key) < FlagText(overrides[place].key) else { continue }
            overrides.remove(at: place)
            overrides[key] = entry.override
        }
        let problems = twins.isEmpty ? [] : hiddenKeys(among: twins, behind: overrides)
        return (OverrideTable(revision: revision, overrides: overrides), problems)
    }

    /// A sentence for each key that readers cannot see.
    private func hiddenKeys(among twins: Set<String>, behind overrides: [String: Override]) -> [String] {
        entries.keys.sorted().compactMap { key in
            let string = key.string
            guard twins.contains(string), let place = overrides.index(forKey: string) else { return nil }
            let inForce = overrides[place].key
            guard FlagText(inForce) != key else { return nil }
            return
                "the keys \(Self.spelled(inForce)) and \(Self.spelled(string)) are the same text in different spellings; "
                + "the first is in force, the second has no effect"
        }
    }

    /// In ASCII, as both look alike on a screen.
    private static func spelled(_ key: String) -> String {
        let scalars = key.unicodeScalars
        let text = scalars.prefix(30).map { $0.escaped(asASCII: true) }.joined()
        return "\"\(text)\(scalars.count > 30 ? "..." : "")\""
    }
}
