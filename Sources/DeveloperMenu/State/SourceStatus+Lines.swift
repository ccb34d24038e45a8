public import FlagModel

extension SourceStatus {
    /// One line with the status of the source and the age of its values, and a second line if the source has an error.
    ///
    /// - Parameters:
    ///   - progress: the progress of the source's fetch; `nil` if the source is not being fetched.
    ///   - activation: the key or command that activates waiting values, such as `a` or `flagmenu activate`.
    public func lines(progress: FetchProgress? = nil, now: FlagTimestamp, activation: String) -> [String] {
        var parts: [String] = []
        if let progress { parts.append(progress.words) }
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
}

extension MenuState {
    /// The lines of the sheet of sources: each source with its status, the age of its values, and its errors.
    var sourceLines: [String] {
        guard !remote.sources.isEmpty else {
            let age = LineModeSummary(state: self).source
            return [age] + remoteIssues.map { "  ! \($0)" }
        }
        var lines: [String] = []
        for (index, source) in remote.sources.enumerated() {
            let statusLines = source.lines(
                progress: remote.fetch?.progress[index], now: now, activation: keyName(of: .activate))
            lines.append("\(index + 1)  \(source.name)")
            lines.append("   \(statusLines[0])")
            lines += statusLines.dropFirst().map { "   ! \($0)" }
            if let error = remote.liveUpdateErrors[index] { lines.append("   ~ no live updates: \(error)") }
        }
        if remote.sources.count > 1 { lines.append("If several sources have a flag, the first one's value is used.") }
        return lines
    }
}
