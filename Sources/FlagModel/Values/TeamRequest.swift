/// A change to make to the overrides that a team shares: new edits, or the undoing of earlier ones.
public enum TeamRequest: Sendable, Hashable {
    /// Apply edits.
    case edit([OverrideEdit])
    /// Revert changes: each flag that still has the new value gets back the old one, which ends when it would have
    /// ended. A flag that has been changed again stays.
    case revert([OverrideChange])

    /// The name of the change in the history, such as `set theme`.
    public var label: String {
        switch self {
        case .edit(let edits): edits.label
        case .revert(let changes): "undo \(changes.map(\.edit).label)"
        }
    }

    /// The changes of the team's values, in the order of their keys; without those that have no effect.
    ///
    /// - Parameters:
    ///   - old: the current values.
    ///   - time: the time of the change.
    ///   - author: who makes the change.
    public func changes(of old: FlagTable<FlagOverride>, at time: FlagTimestamp, by author: String) -> [OverrideChange]
    {
        var new = old
        switch self {
        case .edit(let edits):
            // A team has no boot in common, so its ends are moments.
            new = old.applying(edits, at: ClockReading(now: time), by: author)
        case .revert(let changes):
            for change in changes where old[change.key] == change.new {
                new[change.key] = change.old.flatMap { former in
                    guard former.end?.hasEnded(at: ClockReading(now: time)) != true else { return nil }
                    return FlagOverride(
                        value: former.value, setAt: time, setBy: author, note: former.note, end: former.end)
                }
            }
        }
        return new.changes(from: old)
    }
}

extension OverrideChange {
    /// The edit that makes the change.
    fileprivate var edit: OverrideEdit { new.map { .set(key: key, value: $0.value) } ?? .clear(key: key) }
}
