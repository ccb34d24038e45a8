public import FlagModel

/// One line of the history: who changed what, when.
public struct HistoryRecord: Sendable, Hashable {
    /// The revision of the file after it.
    public let revision: Int
    /// The time.
    public let at: Timestamp
    /// The author.
    public let by: String
    /// The action: `set`, `clear`, `clear all`, `import`, `undo`, `redo`, or the caller's own label.
    public let action: String
    /// The keys that changed, in the order of their Unicode scalars.
    public var changes: [OverrideChange] { steps.map(\.summary) }
    /// For an undo, the revision of the undone action.
    public let undoes: Int?
    /// For a redo, the revision of the redone action.
    public let redoes: Int?
    /// `true` for an action that was undone and not redone since.
    public internal(set) var isUndone = false

    /// The revision of the file before it. A record that no later one is based on was never reached: its writer was
    /// killed before it could replace the file.
    let base: Int
    /// The hash of the written file.
    let hash: ContentHash?
    /// The overrides of the file before it, if they may differ from the previous record: in the first record, and after
    /// a change without a record, such as one by hand.
    let found: [FlagText: StoredOverride]?
    /// The changes with everything that undo needs.
    let steps: [StoredChange]

    /// The record as lines: the action, then a line for each key.
    ///
    /// - Parameter isLocal: whether to use this machine's time zone instead of UTC.
    package func lines(isLocal: Bool = false) -> [String] {
        let local = at.local
        return [
            "\(revision)  \(isLocal ? "\(local.date) \(local.time)" : at.rfc3339)  \(by)  \(action)\(isUndone ? " (undone)" : "")"
        ]
            + changes.map { change in
                let (old, new) = (EffectiveChange.shown(change.old?.value), EffectiveChange.shown(change.new?.value))
                return "    \(change.key): \(old) -> \(new)"
            }
    }
}
