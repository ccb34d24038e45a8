import FlagModel

extension OverrideFile {
    /// What the edits change, one after the other, when `author` makes them at `time`.
    ///
    /// Only differences in value count: setting the present value again keeps who set it and when.
    func changes(by edits: [OverrideEdit], author: String, at time: Timestamp) -> [StoredChange] {
        var edited = self
        var touched: Set<FlagText> = []
        for edit in edits { touched.formUnion(edited.make(edit, author: author, at: time)) }
        return touched.sorted().compactMap { key in
            let (before, after) = (entries[key], edited.entries[key])
            let isSame = after.map { before?.hasValue($0.override.value) ?? false } ?? (before == nil)
            return isSame ? nil : StoredChange(key: key, before: before, after: after)
        }
    }

    /// Makes one edit; returns the keys that it is about.
    private mutating func make(_ edit: OverrideEdit, author: String, at time: Timestamp) -> [FlagText] {
        switch edit {
        case .set(let key, let value):
            let key = FlagText(key)
            let override = Override(value: value, setAt: time, setBy: author)
            entries[key] = entries[key]?.replacing(override) ?? StoredOverride(override: override)
            return [key]
        case .clear(let key):
            let key = FlagText(key)
            entries[key] = nil
            return [key]
        case .clearAll:
            return make(.replaceAll([:]), author: author, at: time)
        case .replaceAll(let values):
            let old = Array(entries.keys)
            let kept = Set(values.keys.map { FlagText($0) })
            for key in old where !kept.contains(key) { entries[key] = nil }
            return old + values.flatMap { make(.set(key: $0.key, value: $0.value), author: author, at: time) }
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
