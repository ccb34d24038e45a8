public import FlagModel

/// The status of the overrides that a team shares.
public struct TeamStatus: Sendable, Equatable {
    /// The team as dialogs name it: the address without secrets.
    public let name: String
    /// When the values were received or confirmed; `nil` if there are none.
    public internal(set) var fetchedAt: FlagTimestamp?
    /// Why the team cannot be reached, as a sentence; `nil` if it can.
    public internal(set) var error: String?
    /// Whether values have been received. The first ones are not an update.
    var isRead = false
    /// The changes that were requested and not acknowledged yet, by the id of the request.
    var pending: [RequestID: Change] = [:]
    /// The last change of this menu, as long as undo or redo can revert it: nothing else was changed since.
    var lastChange: LastChange?
    /// Whether undo reverts a change of the team.
    var canUndo: Bool { lastChange?.isUndone == false }

    enum Change: Sendable, Equatable {
        /// Flags are set for the team. When the team has the values, these local overrides are cleared, and the
        /// sentence is shown.
        case set(replacing: FlagTable<FlagOverride>, done: String)
        /// The last change is reverted or made again; then the local overrides follow.
        case revert(LastChange)
    }

    /// A change that the team has.
    struct LastChange: Sendable, Equatable {
        /// The changes of the team's values.
        let changes: [OverrideChange]
        /// Whether local overrides were cleared by the change, so that undo restores them.
        let hasLocalPart: Bool
        /// Whether the change was undone, so that redo makes it again.
        var isUndone = false
    }

    /// A team whose values have not been read yet.
    init(name: String) { self.name = name }

    /// Ends a requested change that was not stored.
    ///
    /// - Returns: the message, as one or two sentences.
    mutating func failChange(_ id: RequestID, reason: String) -> String {
        guard case .revert(let last) = pending.removeValue(forKey: id) else { return reason }
        return "Not \(last.isUndone ? "redone" : "undone"). \(reason)"
    }

    /// Why a value cannot be set for the team; `nil` if it can.
    func disabledReason(toSet value: String, of flag: FlagFacts) -> String? {
        flag.override == nil && flag.team?.value == value ? "\(name) has this value already." : nil
    }

    mutating func endRead(at moment: FlagTimestamp?, error: String?) {
        (fetchedAt, self.error) = (moment, error)
        isRead = isRead || moment != nil
    }
}
