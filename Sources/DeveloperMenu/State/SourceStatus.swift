public import FlagModel

/// How one of several sources stands.
public struct SourceStatus: Sendable, Equatable {
    /// What is in use of a source.
    public enum Condition: Sendable, Equatable {
        /// Nothing yet, as it was not read.
        case unread
        /// What it said at this time.
        case read(at: Timestamp)
        /// It could not be read, for a reason that is a sentence; values of `cachedFrom` are in use, if there are any.
        case failed(reason: String, cachedFrom: Timestamp?)
    }

    /// The source as commands name it.
    public let name: String
    /// The same for where there is little room.
    public let title: String
    /// What is in use of it.
    public let condition: Condition
    /// Whether it has said other values, which wait for activation.
    public let isWaiting: Bool
    /// Until when it wants to be left alone; `nil` when it may be asked.
    public let rateLimitedUntil: Timestamp?

    /// When the values that are in use of it were fetched; `nil` where there are none.
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
    /// - Parameter title: a shorter name, such as the last part of a path; `nil` where there is none.
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

    /// Its state and its age in one line, and on a second why it could not be read.
    ///
    /// - Parameters:
    ///   - progress: how far the asking of it is; `nil` while nobody asks it.
    ///   - activation: what activates values that wait, such as `a` or `flagmenu activate`.
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
    /// The sources, each with its state and its age, as the sheet for them has it.
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
