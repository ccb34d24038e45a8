/// An edit of the saved overrides.
public enum OverrideEdit: Sendable, Hashable {
    /// Override a flag.
    case set(key: String, value: String)
    /// Remove the override of a flag.
    case clear(key: String)
    /// Remove all overrides that exist at the time of the edit.
    case clearAll
    /// Make these the only overrides.
    case replaceAll(FlagTable<String>)
}

extension OverrideEdit {
    /// The flags that the edit gives a value.
    package var keysSet: [String] {
        switch self {
        case .set(let key, _): [key]
        case .replaceAll(let values): Array(values.keys)
        case .clear, .clearAll: []
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
        case .replaceAll(let values):
            self = values.mapValues(override)
        }
    }
}

extension [OverrideEdit] {
    /// The action of these edits in the history, such as `set theme`, if they are saved together.
    public var label: String {
        if contains(where: { if case .replaceAll = $0 { true } else { false } }) { return "import" }
        if contains(.clearAll) { return "clear all" }
        let removals = count { if case .clear = $0 { true } else { false } }
        switch first {
        case .set(let key, _) where count == 1: return "set \(key)"
        case .clear(let key) where count == 1: return "clear \(key)"
        default: break
        }
        if removals == count { return "clear \(count) overrides" }
        return removals == 0 ? "set \(count) flags" : "change \(count) flags"
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
        self.key = key
        self.old = old
        self.new = new
    }
}

/// The saved overrides at one moment.
public struct OverrideTable: Sendable, Hashable {
    /// The revision: 0 before the first saved change. Every saved change adds one.
    public var revision: Int
    /// The overrides by key.
    public var overrides: FlagTable<FlagOverride>

    /// A table; by default empty.
    public init(revision: Int = 0, overrides: FlagTable<FlagOverride> = [:]) {
        self.revision = revision
        self.overrides = overrides
    }
}
