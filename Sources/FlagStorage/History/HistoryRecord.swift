public import FlagModel

/// One line of the history: the time, author and changes of an action.
public struct HistoryRecord: Sendable, Hashable {
    /// The revision of the override file after the action.
    public let revision: Int
    /// The time of the action.
    public let at: FlagTimestamp
    /// The author of the action; ``timeAuthor`` if overrides ended by themselves.
    public let by: String
    /// The author of the removal of overrides that have ended.
    package static let timeAuthor = "time"
    /// The action: `set`, `clear`, `clear all`, `import`, `undo`, `redo`, or a label of the caller.
    public let action: String
    /// The keys that changed, in the order of their Unicode scalars.
    public var changes: [OverrideChange] { steps.overrides.map(\.summary) }
    /// The conditions and attributes that changed.
    public var contextChanges: [ContextPartChange] { steps.contexts }
    /// The names of the applied scenario before and after; `nil` if it is still the same.
    package var scenarioNames: (old: String?, new: String?)? { steps.scenario.map { ($0.old?.name, $0.new?.name) } }
    /// For an undo, the revision of the undone action.
    public let undoes: Int?
    /// For a redo, the revision of the redone action.
    public let redoes: Int?
    /// Whether the action was undone and not redone since.
    public internal(set) var isUndone = false

    /// The revision of the override file before the action. If the next record has the same base, the writer of this
    /// record was killed before it replaced the file.
    let base: Int
    /// The hash of the written override file, to detect that it has changed since.
    let hash: String?
    /// All overrides that the writer found in the file; `nil` if the previous records give them. Present in the first
    /// record, and after a change without a record, such as an edit by hand.
    let baseEntries: [FlagText: StoredOverride]?
    /// The contexts that the writer found; only with ``baseEntries``.
    let baseContexts: FlagTable<StoredContext>
    /// The changes, each with everything that an undo needs.
    let steps: StoredChanges

    /// The record as lines: the action, then a line for each key.
    ///
    /// - Parameter isLocal: whether to use this machine's time zone instead of UTC.
    package func lines(isLocal: Bool = false) -> [String] {
        let local = at.local
        return [
            "\(revision)  \(isLocal ? "\(local.date) \(local.time)" : at.rfc3339)  \(by)  \(action)\(isUndone ? " (undone)" : "")"
        ]
            + changes.map { "    \($0.sentence)" } + contextChanges.map { "    \($0.sentence)" }
    }

    /// Whether only the name of the applied scenario was changed, as its file was renamed: nothing to undo.
    var isRename: Bool { steps.scenario != nil && action.hasPrefix(Self.renameAction) }
    /// The beginning of the action of such a record.
    static let renameAction = "rename scenario "

    /// Whether the overrides ended by themselves. Such an action does not prevent a redo, as nobody has done it.
    var isEnd: Bool { by == Self.timeAuthor && action.hasPrefix("end ") }
}
