public import FlagModel

/// The status of one of several sources.
public struct SourceStatus: Sendable, Equatable {
    /// Which values of a source are in use.
    public enum Condition: Sendable, Equatable {
        /// None, as it was not read yet.
        case unread
        /// Its values of this time.
        case read(at: Timestamp)
        /// It could not be read, for a reason that is a sentence; values of `cachedFrom` are in use, if there are any.
        case failed(reason: String, cachedFrom: Timestamp?)
    }

    /// The source as commands name it.
    public let name: String
    /// The source's name for small spaces.
    public let title: String
    /// Which values are in use.
    public let condition: Condition
    /// Whether it has other values, which wait for activation.
    public let isWaiting: Bool
    /// Until when it is rate limited; `nil` if it is not.
    public let rateLimitedUntil: Timestamp?

    /// When its values in use were fetched; `nil` if there are none.
    public var valuesAt: Timestamp? {
        switch condition {
        case .unread: nil
        case .read(let moment): moment
        case .failed(_, let kept): kept
        }
    }

    /// Whether it could not be read.
    public var isFailed: Bool { if case .failed = condition { true } else { false } }

    /// A source.
    ///
    /// - Parameter title: a shorter name, such as the last part of a path; `nil` if there is none.
    public init(
        name: String, title: String? = nil, condition: Condition, isWaiting: Bool = false,
        rateLimitedUntil: Timestamp? = nil
    ) {
        self.name = name
        self.title = title ?? name
        self.condition = condition
        self.isWaiting = isWaiting
        self.rateLimitedUntil = rateLimitedUntil
    }

    /// Its status and its age in one line, and its error on a second.
    ///
    /// - Parameters:
    ///   - progress: the progress of its fetch; `nil` if there is none.
    ///   - activation: the key or command that activates waiting values, such as `a` or `flagmenu activate`.
    public func lines(progress: FetchProgress? = nil, now: Timestamp, activation: String) -> [String] {
        var parts: [String] = []
        if let progress { parts.append(progress.words) }
        var reason: String?
        switch condition {
        case .unread: if progress == nil { parts.append("not read yet") }
        case .read(let moment): parts.append("read \(moment.age(at: now))")
        case .failed(let sentence, let kept):
            parts.append(kept.map { "not read; cached \($0.age(at: now))" } ?? "not read; nothing cached")
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
    /// The sources, each with its status and its age, for their sheet.
    var sourceLines: [String] {
        guard !remote.sources.isEmpty else {
            let age = LineModeSummary(state: self).source
            return [age] + remoteProblems.map { "  ! \($0)" }
        }
        var lines: [String] = []
        for (index, source) in remote.sources.enumerated() {
            let said = source.lines(
                progress: remote.fetch?.progress[index], now: now, activation: keyName(of: .activate))
            lines.append("\(index + 1)  \(source.name)")
            lines.append("   \(said[0])")
            lines += said.dropFirst().map { "   ! \($0)" }
            if let error = remote.liveUpdateErrors[index] { lines.append("   ~ no live updates: \(error)") }
        }
        if remote.sources.count > 1 { lines.append("If several sources have a flag, the first one's value is used.") }
        return lines
    }
}
