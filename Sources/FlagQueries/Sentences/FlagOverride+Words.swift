package import FlagModel

extension OverrideEnd {
    /// When the override ends, as every surface says it: `ends in 2 h`, or `ends when the app restarts`.
    package func words(at now: FlagTimestamp) -> String {
        guard let time else { return "ends when the app restarts" }
        return time < now ? "ends now" : "ends in \(Self.left(until: time, at: now))"
    }

    /// The time that is left, such as `2 h 10 min`.
    package static func left(until time: FlagTimestamp, at now: FlagTimestamp) -> String {
        let seconds = time.seconds - now.seconds
        guard seconds >= 60 else { return "less than a minute" }
        // Minutes that have begun count, so that what was set for 2 h ends in 2 h and not in 1 h.
        let (hours, minutes) = ((seconds + 59) / 3_600, (seconds + 59) / 60 % 60)
        if hours >= 48 { return "\(hours / 24) days" }
        let parts = [hours > 0 ? "\(hours) h" : nil, minutes > 0 ? "\(minutes) min" : nil]
        return parts.compactMap { $0 }.joined(separator: " ")
    }
}

extension OverrideTable {
    /// When the next override ends by itself, such as `next ends in 25 min`; `nil` if none ends at a time.
    package func nextEndWords(at now: FlagTimestamp) -> String? {
        nextEnd.map { "next \(OverrideEnd.moment($0).words(at: now))" }
    }
}

extension FlagFacts {
    /// Why the override, or else the team's value in use, exists and when it ends.
    package func additions(at now: FlagTimestamp) -> [String] {
        (override ?? (explanation.winner == .team ? team : nil))?.additions(at: now) ?? []
    }
}

extension FlagOverride {
    /// Which agent has set the override, why it exists and when it ends, as far as somebody said it.
    package func additions(at now: FlagTimestamp) -> [String] {
        let agent = setBy.flatMap { $0.hasSuffix(Self.agentMark) ? "by \($0)" : nil }
        return [agent, note, end?.words(at: now)].compactMap { $0 }
    }
}
