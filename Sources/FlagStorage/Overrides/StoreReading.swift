public import FlagModel

/// The condition of the override file. Sentences begin with the cause, name its line and column if known, and say which
/// overrides are in use.
public enum StoreCondition: Sendable, Hashable {
    /// There is no file, and so no overrides.
    case missing
    /// The file is valid.
    case sound
    /// The file is not a valid override file; the last good overrides are in use, if they are known.
    case corrupt(String)
    /// The file was written by a newer version, in the given format. Its overrides are in use, but cannot be changed.
    case newerFormat(Int)
    /// The file exists but cannot be read; the last good overrides are in use, if they are known.
    case unreadable(String)
}

/// The result of reading the store.
public struct StoreReading: Sendable, Hashable {
    /// The overrides; the last good ones if the file could not be read.
    public var table: OverrideTable
    /// The condition of the file.
    public var condition: StoreCondition
    /// Whether `table` has the current overrides, or the last good ones of a damaged file. `false` if the file cannot
    /// be read, or if it is damaged and its last good overrides are unknown.
    public var areOverridesKnown = true
    /// A sentence for each invalid entry; these entries stay in the file unchanged.
    public var issues: [String] = []

    /// The error of the store and which overrides are in use, as a sentence or two; `nil` without an error.
    public var issue: String? {
        switch condition {
        case .missing, .sound:
            issues.first
        case .newerFormat(let format):
            "Written by a newer version (format \(format)): the overrides are in use, but cannot be changed."
        case .corrupt(let sentences), .unreadable(let sentences):
            sentences
        }
    }
}

/// The result of a write that is on disk.
public struct StoreCommit: Sendable, Hashable {
    /// The current overrides.
    public var table: OverrideTable
    /// The keys that changed, in the order of their Unicode scalars.
    public var changes: [OverrideChange]
    /// The conditions and attributes that changed.
    public var contextChanges: [ContextPartChange] = []
    /// Warnings for the user although the write succeeded: a corrupt file was replaced, undo skipped a key, or the
    /// history could not be written.
    public var notice: String?
    /// The history's record of the write; `nil` if nothing needed to be written.
    public var record: HistoryRecord?

    /// Whether nothing was changed.
    public var isEmpty: Bool { changes.isEmpty && contextChanges.isEmpty }
}

extension StoreReading {
    /// What the store reads after a write.
    package init(_ commit: StoreCommit) { self.init(table: commit.table, condition: .sound) }
}
