/// What somebody asks of the saved overrides.
public enum OverrideEdit: Sendable, Hashable {
    /// Override a flag.
    case set(key: String, value: String)
    /// Remove the override of a flag.
    case clear(key: String)
    /// Remove every override there is when the edit is made.
    case clearAll
    /// Make these the only overrides.
    case replaceAll([String: String])
}

/// What one edit did to one flag.
public struct OverrideChange: Sendable, Hashable {
    /// The flag's key.
    public let key: String
    /// The override before; `nil` where there was none.
    public let old: Override?
    /// The override after; `nil` where it was removed.
    public let new: Override?

    /// A change of one flag's override.
    public init(key: String, old: Override?, new: Override?) {
        self.key = key
        self.old = old
        self.new = new
    }
}

/// The saved overrides at one moment.
public struct OverrideTable: Sendable, Hashable {
    /// Rises by one with every change that is saved; 0 before the first.
    public var revision: Int
    /// The overrides by key.
    public var overrides: [String: Override]

    /// A table; empty as it stands before the first override.
    public init(revision: Int = 0, overrides: [String: Override] = [:]) {
        self.revision = revision
        self.overrides = overrides
    }
}
