import FlagModel

extension OverrideFile {
    /// What the edits change, one after the other, when `author` makes them at `time`.
    ///
    /// Only differences in value count: setting the present value again keeps who set it and when.
    func changes(by edits: [OverrideEdit], author: String, at time: Timestamp) -> [StoredChange] {
        var edited: [FlagText: StoredOverride?] = [:]
        for edit in edits { make(edit, author: author, at: time, on: &edited) }
        return edited.compactMap { key, after in
            let before = entries[key]
            let isSame = after.map { before?.hasValue($0.override.value) ?? false } ?? (before == nil)
            return isSame ? nil : StoredChange(key: key, before: before, after: after)
        }.sorted { $0.key < $1.key }
    }

    /// Makes one edit on the keys that were `edited` before and what else the file holds.
    private func make(
        _ edit: OverrideEdit, author: String, at time: Timestamp, on edited: inout [FlagText: StoredOverride?]
    ) {
        switch edit {
        case .set(let key, let value):
            let key = FlagText(key)
            let override = Override(value: value, setAt: time, setBy: author)
            let present = edited[key] ?? entries[key]
            edited[key] = .some(present?.replacing(override) ?? StoredOverride(override: override))
        case .clear(let key): edited[FlagText(key)] = .some(nil)
        case .clearAll: make(.replaceAll([:]), author: author, at: time, on: &edited)
        case .replaceAll(let values):
            let kept = Set(values.keys.map { FlagText($0) })
            for key in Array(entries.keys) + edited.keys where !kept.contains(key) { edited[key] = .some(nil) }
            for (key, value) in values { make(.set(key: key, value: value), author: author, at: time, on: &edited) }
        }
    }

    /// Makes the changes true. A key that had a strange entry loses it once it has an override.
    mutating func apply(_ changes: [StoredChange]) {
        for change in changes { entries[change.key] = change.after }
        if !strangeEntries.isEmpty {
            let overridden = Set(changes.lazy.filter { $0.after != nil }.map(\.key))
            strangeEntries.removeAll { overridden.contains($0.name) }
        }
    }
}

extension [OverrideEdit] {
    /// What the history calls these edits when the caller gives them no name.
    var action: String {
        if contains(where: { if case .replaceAll = $0 { true } else { false } }) { return "import" }
        if contains(.clearAll) { return "clear all" }
        return contains { if case .set = $0 { true } else { false } } ? "set" : "clear"
    }
}
