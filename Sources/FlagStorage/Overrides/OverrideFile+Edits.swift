import FlagModel

extension OverrideFile {
    /// The changes that result from applying the edits in order, sorted. `author` and `time` are for the new overrides.
    ///
    /// Setting the same value with the same note and end again is not a change, and preserves author and time.
    func changes(by edits: [OverrideEdit], author: String, at clock: ClockReading) -> StoredChanges {
        let table = table
        let edited = table.applying(edits, at: clock, by: author)
        let changes = edited.overrides.changes(from: table.overrides).map { change in
            let (key, before) = (FlagText(change.key), entries[FlagText(change.key)])
            let after = change.new.map { before?.replacing($0) ?? StoredOverride(override: $0) }
            return StoredChange(key: key, before: before, after: after)
        }
        return StoredChanges(
            overrides: changes, contexts: edited.contexts.changes(from: table.contexts),
            scenario: edited.scenario == scenario ? nil : .init(old: scenario, new: edited.scenario))
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
