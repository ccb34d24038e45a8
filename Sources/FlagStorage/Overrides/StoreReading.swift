public import FlagModel

/// How the override file was found. Sentences begin with the cause, name line and column where there is one, and say
/// which overrides are in use meanwhile.
public enum StoreCondition: Sendable, Hashable {
    /// There is no file: nothing is overridden.
    case missing
    /// The file was read.
    case sound
    /// The file is not what an override file looks like; the values are the last good ones, where they are known.
    case corrupt(String)
    /// A newer version, which writes the given format, wrote the file. It can be read, as far as it is understood, but
    /// not be changed.
    case newerFormat(Int)
    /// The file is there but cannot be read; the values are the last good ones, where they are known.
    case unreadable(String)
}

/// What a look at the store found.
public struct StoreReading: Sendable, Hashable {
    /// The overrides; the last good ones where the file could not be read.
    public var table: OverrideTable
    /// How the file was found.
    public var condition: StoreCondition
    /// Whether they are those of now, or the last good ones of a damaged file; not where the file cannot be read, nor where it is
    /// damaged and nothing tells what it held.
    public var areOverridesKnown = true
    /// Entries that were left out, one sentence each. They stay in the file as they are.
    public var problems: [String] = []
}

/// What a write did, reported after it is on the disk.
public struct StoreCommit: Sendable, Hashable {
    /// The overrides as they are now.
    public var table: OverrideTable
    /// The keys that changed, in the order of their Unicode scalars.
    public var changes: [OverrideChange]
    /// Sentences that the user must see although the write succeeded: a corrupt file kept aside, a key that undo had to
    /// leave alone, a history that could not be written.
    public var notice: String?
    /// What the history says about the write; `nil` when everything was as wished already and nothing was written.
    public var record: HistoryRecord?
}
