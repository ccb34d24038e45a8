package import FlagModel
import Platform

extension HistoryRecord {
    /// The record as a history entry, in this machine's time zone.
    package var entry: HistoryEntry {
        let (date, time) = at.local
        return HistoryEntry(
            revision: revision, date: date, time: time, by: by, action: action, isUndone: isUndone,
            isMove: undoes != nil || redoes != nil, changes: changes, contextChanges: contextChanges)
    }
}

extension FlagTimestamp {
    /// Date and time in this machine's time zone, such as `2026-11-25` and `14:02:31`; in UTC for a year that the
    /// system does not support.
    package var local: (date: String, time: String) {
        let text = FlagTimestamp(seconds: seconds + Int64(localZone.offset)).rfc3339
        return (String(text.prefix(10)), String(text.dropFirst(11).prefix(8)))
    }

    /// This machine's time zone at this time: the seconds by which it is ahead of UTC, and its name, such as `CET`.
    package var localZone: (offset: Int, name: String) {
        var seconds = time_t(seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return (0, "UTC") }
        return (parts.tm_gmtoff, String(cString: parts.tm_zone))
    }
}
