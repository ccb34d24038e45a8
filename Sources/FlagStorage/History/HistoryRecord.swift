public import FlagModel

/// One line of the history: who changed what, when.
public struct HistoryRecord: Sendable, Hashable {
    /// The revision that the file had afterwards.
    public let revision: Int
    /// When.
    public let at: Timestamp
    /// Who.
    public let by: String
    /// What it was called: `set`, `clear`, `clear all`, `import`, `undo`, `redo`, or what the caller said.
    public let action: String
    /// The keys that changed, in the order of their Unicode scalars.
    public var changes: [OverrideChange] { steps.map(\.summary) }
    /// For an undo the revision of the action that it took back.
    public let undoes: Int?
    /// For a redo the revision of the action that it made again.
    public let redoes: Int?
    /// `true` for an action that has been undone and not redone since.
    public internal(set) var isUndone = false

    /// The revision that the file had before. A record that a later one does not build upon was never reached: its
    /// writer was killed before it could replace the file.
    let base: Int
    /// The file that the change made.
    let hash: ContentHash?
    /// The overrides that the file had before, where they are not known to be those that the record before left: the
    /// first record, and any after a change that no record tells of, such as one by hand.
    let found: [FlagText: StoredOverride]?
    /// The changes with everything that is needed to take them back.
    let steps: [StoredChange]

    /// The record in lines: what was done, then a line for each key.
    ///
    /// - Parameter isLocal: whether the time is that of this machine's time zone instead of UTC.
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
