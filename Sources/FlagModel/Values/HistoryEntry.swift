/// One change in the history of overrides, for the menu and the command line.
public struct HistoryEntry: Sendable, Hashable {
    /// The revision of the overrides after the change.
    public let revision: Int
    /// The local date, as in `2026-11-25`.
    public let date: String
    /// The local time of day, as in `14:02:31`.
    public let time: String
    /// The author of the change.
    public let by: String
    /// The action, such as `set theme`, `undo` or `import`.
    public let action: String
    /// Whether the change was undone and not redone since.
    public let isUndone: Bool
    /// Whether the change is an undo or a redo, which cannot be undone.
    public let isMove: Bool
    /// The flags that changed.
    public let changes: [OverrideChange]
    /// The conditions and attributes that changed.
    public let contextChanges: [ContextPartChange]

    /// An entry.
    public init(
        revision: Int, date: String, time: String, by: String, action: String, isUndone: Bool = false,
        isMove: Bool = false, changes: [OverrideChange], contextChanges: [ContextPartChange] = []
    ) {
        (self.revision, self.date, self.time, self.by, self.action) = (revision, date, time, by, action)
        (self.isUndone, self.isMove, self.changes) = (isUndone, isMove, changes)
        self.contextChanges = contextChanges
    }
}
