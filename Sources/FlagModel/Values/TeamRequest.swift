/// A requested change of the overrides that a team shares.
public enum TeamRequest: Sendable, Hashable {
    /// Apply edits. The values that they set end by themselves after the duration; `nil` if they stay.
    case edit([OverrideEdit], for: Duration? = nil)
    /// Revert changes: each flag that still has the new value gets back the old one, which ends when it would have
    /// ended. A flag that has been changed again stays.
    case revert([OverrideChange])

    /// The name of the change in the history, such as `set theme`.
    public var label: String {
        switch self {
        case .edit(let edits, _): edits.label
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
        case .edit(let edits, let duration):
            // A team has no boot in common, so its ends are moments.
            let clock = ClockReading(now: time)
            new = old.applying(edits, at: clock, by: author)
            if let duration {
                for key in edits.flatMap(\.keysSet) { new[key]?.end = OverrideEnd(after: duration, at: clock) }
            }
        case .revert(let changes):
            for change in changes where old[change.key] == change.new {
                new[change.key] = change.old.flatMap { former in
                    guard former.end?.hasEnded(at: ClockReading(now: time)) != true else { return nil }
                    return FlagOverride(
                        value: former.value, setAt: time, setBy: author, note: former.note, end: former.end)
                }
            }
        }
        return old.keySet.union(new.keySet).sorted().map(\.string).compactMap { key in
            let (before, after) = (old[key], new[key])
            let isSame = before?.value == after?.value && before?.note == after?.note && before?.end == after?.end
            return isSame ? nil : OverrideChange(key: key, old: before, new: after)
        }
    }
}

extension OverrideChange {
    /// The edit that makes the change.
    fileprivate var edit: OverrideEdit { new.map { .set(key: key, value: $0.value) } ?? .clear(key: key) }
}
