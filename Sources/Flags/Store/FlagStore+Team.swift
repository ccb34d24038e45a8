package import FlagModel
package import FlagRemote

// The overrides that a team shares, for menus and commands.
extension FlagStore {
    /// The team's values and their state; `nil` without a team.
    package var teamReading: TeamReading? { team == nil ? nil : contents.team }
}

/// The team's values, and whether they are current.
package struct TeamReading: Sendable {
    private var source: RemoteState.Source?
    private var streamError: SourceError?

    /// The values by flag, with their authors and times.
    package var overrides: FlagTable<FlagOverride> { source?.active?.document.overrides ?? [:] }
    /// When the values were received or confirmed; `nil` if there are none.
    package var fetchedAt: FlagTimestamp? { source?.active?.fetchedAt }
    /// Why the team cannot be reached, so that the values may be outdated; `nil` if it can.
    package var error: SourceError? { source?.error ?? streamError }
    /// What was left out of the values, and why, a sentence each.
    package var issues: [String] { source?.active?.document.issues.map(\.description) ?? [] }

    /// Applies an update of the engine for the team.
    mutating func receive(_ update: RemoteUpdate) {
        source = update.state.sources.first
        if case .liveUpdates(_, let error) = update.cause { streamError = error }
    }

    /// Why the team cannot be reached and which values are in use, with their age; `nil` if it can be reached.
    package func error(at now: FlagTimestamp) -> String? {
        error.map { error in
            let values = fetchedAt.map { " The values from \($0.age(at: now)) stay in use." }
            return "Team: \(error.asSentence)" + (values ?? " There are no cached values.")
        }
    }
}
