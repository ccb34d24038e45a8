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
        var seconds = time_t(seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else {
            let text = rfc3339
            return (String(text.prefix(10)), String(text.dropFirst(11).prefix(8)))
        }
        func digits(_ number: Int32, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return (
            "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))",
            "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
        )
    }
}
