import FlagModel

extension OverrideFile {
    /// The changes that result from applying the edits in order, sorted. `author` and `time` are for the new overrides.
    ///
    /// Setting the same value with the same note and end again is not a change, and preserves author and time.
    func changes(by edits: [OverrideEdit], author: String, at clock: ClockReading) -> StoredChanges {
        let table = table
        let editedOverrides = table.overrides.applying(edits, at: clock, by: author)
        var (editedContexts, editedScenario) = (table.contexts, scenario)
        for edit in edits {
            editedContexts.apply(edit)
            switch edit {
            case .applyScenario(let applied): editedScenario = applied
            case .clearAll, .replaceAll: editedScenario = nil
            case .set, .note, .end, .clear, .changeContext: break
            }
        }
        let changes = editedOverrides.compactMap { name, override -> StoredChange? in
            let key = FlagText(name)
            let entry = entries[key]
            if let entry, entry.hasValue(override.value), entry.override.note == override.note,
                entry.override.end == override.end
            {
                return nil
            }
            let editedEntry = entry?.replacing(override) ?? StoredOverride(override: override)
            return StoredChange(key: key, before: entry, after: editedEntry)
        }
        let removals = entries.filter { editedOverrides[$0.key] == nil }.map {
            StoredChange(key: $0.key, before: $0.value, after: nil)
        }
        return StoredChanges(
            overrides: (changes + removals).sorted { $0.key < $1.key },
            contexts: editedContexts.changes(from: table.contexts),
            scenario: editedScenario == scenario ? nil : .init(old: scenario, new: editedScenario))
    }

    /// Applies the changes. Removes the invalid entry of a key that gets an override.
    mutating func apply(_ changes: StoredChanges) {
        for change in changes.overrides { entries[change.key] = change.after }
        if !strangeEntries.isEmpty {
            let overridden = Set(changes.overrides.lazy.filter { $0.after != nil }.map(\.key))
            strangeEntries.removeAll { overridden.contains($0.name) }
        }
        contexts.apply(changes.contexts)
        strangeContexts.removeAll { contexts[$0.name] != nil }
        if let change = changes.scenario {
            scenario = change.new
            // A member that is not a scenario, which would be there twice.
            otherMembers.removeAll { $0.name == "scenario" }
        }
    }
}

extension [OverrideEdit] {
    /// The default action of these edits in the history.
    var action: String {
        if let wholeAction { return wholeAction }
        if contains(where: { if case .set = $0 { true } else { false } }) { return "set" }
        return contains { if case .clear = $0 { true } else { false } } ? "clear" : label
    }
}
