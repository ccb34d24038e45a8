public import FlagModel

/// The header `Retry-After`: how long to wait before the next request.
public enum RetryAfter {
    /// The maximum accepted wait, 24 hours, so that a service's mistake cannot stop its updates forever.
    public static let longest = Duration.seconds(24 * 3_600)

    /// Parses seconds, an HTTP date, or an ISO 8601 date, which the documentation of some services shows.
    ///
    /// - Returns: the wait from `now` on, zero for a past date; `nil` for any other text.
    public static func duration(_ text: String, now: FlagTimestamp) -> Duration? {
        let text = text.split(separator: " ").joined(separator: " ")
        if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return min(longest, .seconds(Int64(text) ?? .max / 2))
        }
        guard let moment = FlagTimestamp(rfc3339: text) ?? HTTPDate.timestamp(text) else { return nil }
        return min(longest, .seconds(max(0, moment.seconds - now.seconds)))
    }
}

/// Dates in HTTP format, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
public enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses a date; `nil` for anything else, including the obsolete formats.
    public static func timestamp(_ text: String) -> FlagTimestamp? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        let day = words[1].count == 1 ? "0\(words[1])" : String(words[1])
        return FlagTimestamp(rfc3339: "\(words[3])-\(number)-\(day)T\(words[4])Z")
    }

    /// Formats a date.
    public static func text(_ moment: FlagTimestamp) -> String {
        let parts = moment.rfc3339.split { "-T:Z".contains($0) }
        // 1970-01-01 was a Thursday.
        let day = Int(((moment.seconds / 86_400) % 7 + 7) % 7)
        let name = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][day]
        let month = months[(Int(parts[1]) ?? 1) - 1]
        return "\(name), \(parts[2]) \(month) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}
