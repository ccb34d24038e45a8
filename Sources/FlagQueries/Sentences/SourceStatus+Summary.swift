public import FlagModel

extension SourceStatus {
    /// One line with the status of the source and the age of its values, and a second line if the source has an error.
    ///
    /// - Parameters:
    ///   - progress: the progress of the source's fetch in words; `nil` if the source is not being fetched.
    ///   - activation: the key or command that activates waiting values, such as `a` or `flagmenu activate`.
    public func lines(progress: String? = nil, now: FlagTimestamp, activation: String) -> [String] {
        var parts: [String] = []
        if let progress { parts.append(progress) }
        var reason: String?
        switch condition {
        case .unread: if progress == nil { parts.append("not read yet") }
        case .read(let moment): parts.append("read \(moment.age(at: now))")
        case .failed(let sentence, let cachedAt):
            parts.append(cachedAt.map { "not read; cached \($0.age(at: now))" } ?? "not read; nothing cached")
            reason = sentence
        }
        if isWaiting { parts.append("an update waits (\(activation))") }
        if let rateLimitedUntil, rateLimitedUntil.seconds > now.seconds {
            parts.append("rate limited for \(rateLimitedUntil.seconds - now.seconds) s")
        }
        return [parts.joined(separator: ", ")] + [reason].compactMap { $0 }
    }

    /// The status of the source and the age of its values, to follow its name.
    package func summary(at now: FlagTimestamp) -> String {
        switch condition {
        case .unread: "not read yet"
        case .read(let moment): moment.age(at: now)
        case .failed(_, let cachedAt?): "cached \(cachedAt.age(at: now))"
        case .failed(_, nil): "not read"
        }
    }
}
