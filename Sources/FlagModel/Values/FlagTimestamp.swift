/// A point in time in whole seconds, such as when an override was set. The model has no clock: callers pass the time.
public struct FlagTimestamp: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public var seconds: Int64

    /// A time from seconds since 1970 in UTC.
    public init(seconds: Int64) { self.seconds = seconds }

    /// A time from milliseconds since 1970 in UTC, to the second.
    package init(milliseconds: Int64) { self.init(seconds: milliseconds / 1_000) }

    /// Milliseconds since 1970 in UTC, at the start of the second.
    package var milliseconds: Int64 { seconds * 1_000 }

    /// Whether `lhs` is earlier than `rhs`.
    public static func < (lhs: FlagTimestamp, rhs: FlagTimestamp) -> Bool { lhs.seconds < rhs.seconds }

    /// The time from this timestamp to `now` in words: `just now`, `2 min ago`, `3 h ago`, `5 days ago`.
    ///
    /// A time in the future is `just now`: the clocks of two machines may differ.
    public func age(at now: FlagTimestamp) -> String { span(until: now).map { "\($0) ago" } ?? "just now" }

    /// The time from this timestamp to `now` in its largest unit, such as `2 min`; `nil` for less than a minute.
    package func span(until now: FlagTimestamp) -> String? {
        let (elapsed, isTooLong) = now.seconds.subtractingReportingOverflow(seconds)
        let age = isTooLong ? Int64.max : elapsed
        switch age {
        case ..<60: return nil
        case ..<3_600: return "\(age / 60) min"
        case ..<86_400: return "\(age / 3_600) h"
        case ..<172_800: return "1 day"
        default: return "\(age / 86_400) days"
        }
    }
}

extension FlagTimestamp {
    /// The time as RFC 3339 in UTC, for example `2026-11-21T10:00:00Z`.
    public var rfc3339: String {
        let day = seconds.floorDivided(by: 86_400)
        let time = Int(seconds - day * 86_400)
        let date = CivilDate(daysSince1970: day)
        let days = "\(date.year.padded(to: 4))-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
        let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
        return "\(days)T\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))Z"
    }

    /// The day in UTC, for example `2026-11-21`.
    public var date: String { String(rfc3339.prefix(10)) }

    /// Parses RFC 3339, with any offset; fractions of a second are dropped. `nil` for anything else.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        func number(at start: Int, digits: Int = 2) -> Int? {
            let digits = bytes[start..<start + digits]
            guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func isOne(of letters: String, at place: Int) -> Bool { letters.utf8.contains(bytes[place]) }
        guard bytes.count >= 20, isOne(of: "-", at: 4), isOne(of: "-", at: 7), isOne(of: "Tt ", at: 10),
            isOne(of: ":", at: 13), isOne(of: ":", at: 16),
            let year = number(at: 0, digits: 4), let month = number(at: 5), let day = number(at: 8),
            let hour = number(at: 11), let minute = number(at: 14), let second = number(at: 17)
        else { return nil }
        var end = 19
        if isOne(of: ".", at: end) {
            let fraction = bytes[(end + 1)...].prefix { 0x30...0x39 ~= $0 }
            guard !fraction.isEmpty else { return nil }
            end = fraction.endIndex
        }
        // The offset from UTC in seconds, positive to the east.
        var offset = 0
        if bytes.count == end + 6, isOne(of: "+-", at: end), isOne(of: ":", at: end + 3),
            let hours = number(at: end + 1), let minutes = number(at: end + 4), hours < 24, minutes < 60
        {
            offset = (hours * 3_600 + minutes * 60) * (isOne(of: "-", at: end) ? -1 : 1)
        } else if bytes.count != end + 1 || !isOne(of: "Zz", at: end) {
            return nil
        }
        let date = CivilDate(year: year, month: month, day: day)
        // A leap second, 23:59:60, is converted to the next second.
        guard date.exists, hour < 24, minute < 60, second <= 60 else { return nil }
        self.init(seconds: date.daysSince1970 * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset))
    }

    /// Parses RFC 3339.
    public init?(rfc3339 text: FlagText) { self.init(rfc3339: text.string) }
}

/// A day of the proleptic Gregorian calendar; the arithmetic is Howard Hinnant's "chrono-compatible date algorithms".
private struct CivilDate {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

    init(daysSince1970 days: Int64) {
        let shifted = days + 719_468  // days since 0000-03-01
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153  // 0 is March
        month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = shiftedYear.floorDivided(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Whether the calendar has this day: converting it to a day count and back results in the same day.
    var exists: Bool {
        guard 1...12 ~= month, 1...31 ~= day else { return false }
        let converted = CivilDate(daysSince1970: daysSince1970)
        return converted.year == year && converted.month == month && converted.day == day
    }
}

extension Int64 {
    /// Division that rounds down; plain division rounds towards zero.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

extension Duration {
    /// The duration in seconds, rounded up, as timestamps have whole seconds.
    package var secondsRoundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
