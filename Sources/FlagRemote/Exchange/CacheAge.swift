extension SourceHeaders {
    /// How long a response may be cached: `max-age` of `Cache-Control` (RFC 9111, section 5.2.2.1), less its `Age`. `nil` if
    /// the response does not say, or must not be used without a request.
    package var cacheAge: Duration? {
        let directives = (self["Cache-Control"] ?? "").split(separator: ",").map { directive in
            directive.lowercased().filter { $0 != " " && $0 != "\"" }
        }
        guard !directives.contains("no-store"), !directives.contains("no-cache"),
            let seconds = directives.lazy.compactMap({ $0.hasPrefix("max-age=") ? Int64($0.dropFirst(8)) : nil }).first,
            seconds >= 0
        else { return nil }
        let age = self["Age"].flatMap { Int64($0) } ?? 0
        return .seconds(max(0, seconds - max(0, age)))
    }
}
