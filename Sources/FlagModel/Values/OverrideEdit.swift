/// An edit of the saved overrides.
public enum OverrideEdit: Sendable, Hashable {
    /// Override a flag.
    case set(key: String, value: String)
    /// Remove the override of a flag.
    case clear(key: String)
    /// Remove all changes that exist at the time of the edit: overrides, conditions and contexts.
    case clearAll
    /// Change the evaluation context of a source.
    case changeContext(ContextChange)
    /// Make these the only overrides.
    case replaceAll(FlagTable<String>)
}

extension OverrideEdit {
    /// The flags that the edit gives a value.
    package var keysSet: [String] {
        switch self {
        case .set(let key, _): [key]
        case .replaceAll(let values): Array(values.keys)
        case .clear, .clearAll, .changeContext: []
        }
    }
}

extension FlagTable<ContextOverride> {
    package mutating func apply(_ edit: OverrideEdit) {
        switch edit {
        case .set, .clear, .replaceAll: break
        case .clearAll: self = [:]
        case .changeContext(let change):
            var contextOverride = self[change.source] ?? ContextOverride()
            for edit in change.edits { contextOverride.apply(edit) }
            self[change.source] = contextOverride.isEmpty ? nil : contextOverride
        }
    }
}

extension FlagTable<FlagOverride> {
    /// Applies an edit.
    ///
    /// - Parameters:
    ///   - edit: the edit.
    ///   - time: the time of the edit; `nil` if it does not matter.
    ///   - author: the author; `nil` if unknown.
    public mutating func apply(_ edit: OverrideEdit, at time: FlagTimestamp? = nil, by author: String? = nil) {
        func override(_ value: String) -> FlagOverride { FlagOverride(value: value, setAt: time, setBy: author) }
        switch edit {
        case .set(let key, let value): self[key] = override(value)
        case .clear(let key): self[key] = nil
        case .clearAll: self = [:]
        case .changeContext: break
        case .replaceAll(let values):
            self = values.mapValues(override)
        }
    }
}

extension [OverrideEdit] {
    /// The action of these edits in the history, such as `set theme`, if they are saved together.
    public var label: String {
        if let wholeAction { return wholeAction }
        let removals = count { if case .clear = $0 { true } else { false } }
        switch first {
        case .set(let key, _) where count == 1: return "set \(key)"
        case .clear(let key) where count == 1: return "reset \(key)"
        default: break
        }
        if removals == count { return "reset \(count) overrides" }
        return removals == 0 ? "set \(count) flags" : "change \(count) flags"
    }

    /// The action if an edit is not about one flag; `nil` if all are.
    package var wholeAction: String? {
        if contains(where: { if case .replaceAll = $0 { true } else { false } }) { return "import" }
        if contains(.clearAll) { return "reset all" }
        return contains { if case .changeContext = $0 { true } else { false } } ? "context" : nil
    }
}

/// The effect of an edit on the override of one flag.
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

    /// The change as one line: `key: old -> new`.
    package var sentence: String {
        "\(key): \(old?.value.orQuotes ?? "not set") -> \(new?.value.orQuotes ?? "not set")"
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

    /// A table; by default empty.
    public init(
        revision: Int = 0, overrides: FlagTable<FlagOverride> = [:], contexts: FlagTable<ContextOverride> = [:]
    ) {
        (self.revision, self.overrides, self.contexts) = (revision, overrides, contexts)
    }

    /// The number of changes: overrides, conditions set by hand and attributes of the context.
    public var changeCount: Int { overrides.count + contexts.parts.count }

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
