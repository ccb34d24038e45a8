/// An edit of the saved overrides.
public enum OverrideEdit: Sendable, Hashable {
    /// Override a flag. An override that the flag has keeps its note, but not its end.
    case set(key: String, value: String)
    /// Say why the override of a flag exists; an empty text removes the note. Without an override, changes nothing.
    case note(key: String, String)
    /// Say when the override of a flag ends by itself. Without an override, changes nothing.
    case end(key: String, OverrideLife)
    /// Remove the override of a flag.
    case clear(key: String)
    /// Remove all changes that exist at the time of the edit: overrides, conditions and contexts.
    case clearAll
    /// Change the evaluation context of a source.
    case changeContext(ContextChange)
    /// Make these the only overrides.
    case replaceAll(FlagTable<String>)
    /// Record which scenario was applied.
    case applyScenario(AppliedScenario)
}

extension OverrideEdit {
    /// The flags that the edit gives a value.
    package var keysSet: [String] {
        switch self {
        case .set(let key, _): [key]
        case .replaceAll(let values): Array(values.keys)
        case .clear, .clearAll, .changeContext, .note, .end, .applyScenario: []
        }
    }
}

extension FlagTable<FlagOverride> {
    /// Applies an edit.
    ///
    /// - Parameters:
    ///   - edit: the edit.
    ///   - clock: the time of the edit; `nil` if it does not matter.
    ///   - author: the author; `nil` if unknown.
    package mutating func apply(_ edit: OverrideEdit, at clock: ClockReading? = nil, by author: String? = nil) {
        func override(_ value: String, _ note: String? = nil) -> FlagOverride {
            FlagOverride(value: value, setAt: clock?.now, setBy: author, note: note)
        }
        switch edit {
        case .set(let key, let value): self[key] = override(value, self[key]?.note)
        case .note(let key, let text): self[key]?.note = text.isEmpty ? nil : text
        case .end(_, .kept): break
        case .end(let key, let life): self[key]?.end = clock.flatMap(life.end)
        case .clear(let key): self[key] = nil
        case .clearAll: self = [:]
        case .changeContext, .applyScenario: break
        case .replaceAll(let values):
            self = values.mapValues { override($0) }
        }
    }

    /// The overrides after several edits.
    package func applying(
        _ edits: [OverrideEdit], at clock: ClockReading? = nil, by author: String? = nil
    ) -> FlagTable<FlagOverride> {
        edits.reduce(into: self) { new, edit in
            guard case .end(let key, .kept) = edit else { return new.apply(edit, at: clock, by: author) }
            // A new value has removed it.
            if let end = self[key]?.end { new[key]?.end = end }
        }
    }

    /// The overrides that differ from older ones in more than author and time, by the bytes of their keys.
    package func changes(from old: FlagTable<FlagOverride>) -> [OverrideChange] {
        let changed = filter { OverrideChange(key: $0.key, old: old[$0.key], new: $0.value).isChange }
        let removed = old.filter { self[$0.key] == nil }
        return changed.keySet.union(removed.keySet).sorted().map {
            OverrideChange(key: $0.string, old: old[$0], new: self[$0])
        }
    }
}

extension FlagTable<ContextOverride> {
    /// Applies a change of one source's context.
    package mutating func apply(_ change: ContextChange) {
        var contextOverride = self[change.source] ?? ContextOverride()
        for edit in change.edits { contextOverride.apply(edit) }
        self[change.source] = contextOverride.isEmpty ? nil : contextOverride
    }
}

extension OverrideTable {
    /// The changes after several edits; the revision is the same.
    ///
    /// - Parameters:
    ///   - edits: the edits, applied in order.
    ///   - clock: the time of the edits; `nil` if it does not matter.
    ///   - author: the author; `nil` if unknown.
    package func applying(
        _ edits: [OverrideEdit], at clock: ClockReading? = nil, by author: String? = nil
    ) -> OverrideTable {
        var new = self
        new.overrides = overrides.applying(edits, at: clock, by: author)
        for edit in edits {
            switch edit {
            case .set, .note, .end, .clear: break
            case .clearAll: (new.contexts, new.scenario) = ([:], nil)
            case .replaceAll: new.scenario = nil
            case .changeContext(let change): new.contexts.apply(change)
            case .applyScenario(let scenario): new.scenario = scenario
            }
        }
        return new
    }
}

extension OverrideEdit {
    /// What an edit of one flag does to which flag, such as `set` and `theme`; `nil` for other edits.
    package var step: (verb: String, key: String)? {
        switch self {
        case .set(let key, _): ("set", key)
        case .clear(let key): ("reset", key)
        case .note(let key, _): ("note", key)
        case .end(let key, _): ("end", key)
        case .clearAll, .changeContext, .replaceAll, .applyScenario: nil
        }
    }
}

extension [OverrideEdit] {
    /// The action of these edits in the history, such as `set theme`, if they are saved together.
    public var label: String {
        if let wholeAction { return wholeAction }
        let steps = compactMap(\.step)
        // Notes and ends are a part of the change of their flag, unless nothing else changes.
        let values = steps.filter { $0.verb == "set" || $0.verb == "reset" }
        guard values.count > 1 else {
            return (values.first ?? steps.first).map { "\($0.verb) \($0.key)" } ?? "set 0 flags"
        }
        let removals = values.count { $0.verb == "reset" }
        if removals == values.count { return "reset \(removals) overrides" }
        return removals == 0 ? "set \(values.count) flags" : "change \(values.count) flags"
    }

    /// The action if an edit is not about one flag; `nil` if all are.
    package var wholeAction: String? {
        for case .applyScenario(let scenario) in self { return "scenario \(scenario.name)" }
        if contains(where: { if case .replaceAll = $0 { true } else { false } }) { return "import" }
        if contains(.clearAll) { return "reset all" }
        return contains { if case .changeContext = $0 { true } else { false } } ? "context" : nil
    }
}

/// The override of one flag before and after an edit.
public struct OverrideChange: Sendable, Hashable {
    /// The flag's key.
    public let key: String
    /// The override before; `nil` if there was none.
    public let old: FlagOverride?
    /// The override after; `nil` if it was removed.
    public let new: FlagOverride?

    /// A change of one flag's override.
    public init(key: String, old: FlagOverride?, new: FlagOverride?) {
        (self.key, self.old, self.new) = (key, old, new)
    }

    /// Whether the value has changed, byte for byte; `==` would compare by canonical equivalence.
    package var isOfValue: Bool {
        guard let old, let new else { return old != new }
        return !old.value.utf8.elementsEqual(new.value.utf8)
    }

    /// Whether the value, the note or the end has changed. Setting the same ones again is not a change.
    package var isChange: Bool { isOfValue || old?.note != new?.note || old?.end != new?.end }

    /// The change as one line: `key: old -> new`, and the new note and end if these changed.
    package var sentence: String {
        let (before, after) = (old?.value.orQuotes ?? "not set", new?.value.orQuotes ?? "not set")
        let additions = additions { $0.time.map { "until \($0.rfc3339)" } ?? "until the app restarts" }
        let values = additions.isEmpty || before != after ? "\(before) -> \(after)" : after
        return (["\(key): \(values)"] + additions).joined(separator: ", ")
    }

    /// What changed besides the value, with the end in these words.
    package func additions(end words: (OverrideEnd) -> String) -> [String] {
        guard let new else { return [] }
        let note = new.note.map { "note \(JSONOutput.quoted($0, limit: 200))" } ?? "no note"
        let end = new.end.map(words) ?? "no end"
        return [new.note == old?.note ? nil : note, new.end == old?.end ? nil : end].compactMap { $0 }
    }
}

/// The saved changes at one moment.
public struct OverrideTable: Sendable, Hashable {
    /// The revision: 0 before the first saved change. Every saved change adds one.
    public var revision: Int
    /// The overrides by key.
    public var overrides: FlagTable<FlagOverride>
    /// The changes of evaluation contexts and conditions, by the names of sources.
    public var contexts: FlagTable<ContextOverride>
    /// The scenario that was applied last; `nil` if none was, or everything was reset or replaced since.
    public var scenario: AppliedScenario?

    /// A table; by default empty.
    public init(
        revision: Int = 0, overrides: FlagTable<FlagOverride> = [:], contexts: FlagTable<ContextOverride> = [:],
        scenario: AppliedScenario? = nil
    ) {
        (self.revision, self.overrides, self.contexts, self.scenario) = (revision, overrides, contexts, scenario)
    }

    /// The number of changes: overrides, conditions set by hand and attributes of the context.
    public var changeCount: Int { overrides.count + contexts.parts.count }

    /// The time at which the next override ends by itself; `nil` if none does at a time.
    public var nextEnd: FlagTimestamp? { overrides.values.compactMap { $0.end?.time }.min() }

    /// The changes of each kind in words: `2 overrides, 1 condition`; empty without changes.
    package var changesByKind: String {
        let kinds = contexts.parts.keys.map(\.kind)
        let counts =
            [(overrides.count, "override")]
            + ContextPart.Kind.allCases.reversed().map { kind in
                (kinds.count { $0 == kind }, kind.rawValue)
            }
        return counts.filter { $0.0 > 0 }.map { $0.0.counted($0.1) }.joined(separator: ", ")
    }

    /// The number of changes in words: `3 overrides`, or `4 changes` if they are not all overrides.
    package var changesCounted: String { changeCount.counted(contexts.isEmpty ? "override" : "change") }
}
