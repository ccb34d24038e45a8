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
        let text = FlagTimestamp(seconds: seconds + Int64(utcOffset)).rfc3339
        return (String(text.prefix(10)), String(text.dropFirst(11).prefix(8)))
    }

    /// The seconds by which this machine's clock is ahead of UTC at this time; 0 for a year that the system does not
    /// support.
    package var utcOffset: Int {
        var seconds = time_t(seconds)
        var parts = tm()
        return localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff
    }
}
