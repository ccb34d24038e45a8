public import FlagModel

/// The condition of the override file. Sentences begin with the cause, name line and column if there is one, and say
/// which overrides are in use meanwhile.
public enum StoreCondition: Sendable, Hashable {
    /// There is no file: there are no overrides.
    case missing
    /// The file is valid.
    case sound
    /// The file is not a valid override file; the values are the last good ones, if they are known.
    case corrupt(String)
    /// The file was written by a newer version, in the given format. It can be read, as far as it is understood, but
    /// not changed.
    case newerFormat(Int)
    /// The file exists but cannot be read; the values are the last good ones, if they are known.
    case unreadable(String)
}

/// The result of reading the store.
public struct StoreReading: Sendable, Hashable {
    /// The overrides; the last good ones if the file could not be read.
    public var table: OverrideTable
    /// The condition of the file.
    public var condition: StoreCondition
    /// Whether they are current, or the last good ones of a damaged file; not if the file cannot be read, nor if it is
    /// damaged and its content is not known.
    public var areOverridesKnown = true
    /// Invalid entries, one sentence each. They stay in the file unchanged.
    public var problems: [String] = []
}

/// The result of a write that is on disk.
public struct StoreCommit: Sendable, Hashable {
    /// The current overrides.
    public var table: OverrideTable
    /// The keys that changed, in the order of their Unicode scalars.
    public var changes: [OverrideChange]
    /// Sentences that the user must see although the write succeeded: a corrupt file moved aside, a key that undo
    /// skipped, a history that could not be written.
    public var notice: String?
    /// The history's record of the write; `nil` if nothing needed to be written.
    public var record: HistoryRecord?
}
