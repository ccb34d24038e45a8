import FlagModel

extension OverrideFile {
    /// The changes of the edits, in order, by `author` at `time`.
    ///
    /// Only different values count: setting the same value again preserves author and time.
    func changes(by edits: [OverrideEdit], author: String, at time: Timestamp) -> [StoredChange] {
        var after = entries.mapValues(\.override)
        for edit in edits { after.apply(edit, at: time, by: author) }
        let changes = after.compactMap { key, override -> StoredChange? in
            let entry = entries[key]
            guard entry?.hasValue(override.value) != true else { return nil }
            let edited = entry?.replacing(override) ?? StoredOverride(override: override)
            return StoredChange(key: key, before: entry, after: edited)
        }
        let removals = entries.filter { after[$0.key] == nil }.map {
            StoredChange(key: $0.key, before: $0.value, after: nil)
        }
        return (changes + removals).sorted { $0.key < $1.key }
    }

    /// Applies the changes. An invalid entry of a key is removed once it has an override.
    mutating func apply(_ changes: [StoredChange]) {
        for change in changes { entries[change.key] = change.after }
        if !strangeEntries.isEmpty {
            let overridden = Set(changes.lazy.filter { $0.after != nil }.map(\.key))
            strangeEntries.removeAll { overridden.contains($0.name) }
        }
    }
}

extension [OverrideEdit] {
    /// The default name of these edits in the history.
    var action: String {
        if contains(where: { if case .replaceAll = $0 { true } else { false } }) { return "import" }
        if contains(.clearAll) { return "clear all" }
        return contains { if case .set = $0 { true } else { false } } ? "set" : "clear"
    }
}
