package import FlagModel
import FlagQueries
package import FlagRemote
import Flags

// The overrides that a team shares.
extension Workspace {
    /// The team.
    ///
    /// - Throws: an error if no team is named.
    package func requireTeam() throws(CommandFailure) -> any TeamLayer {
        guard let team = run.flags.team else {
            throw CommandFailure(
                .usage,
                "No team is named. Name one with --team etcd://HOST:PORT/PREFIX, or with \"team\" in flagmenu.json. "
                    + "Nothing was done.")
        }
        try settings.requireTrust()
        return team
    }

    /// The flags that a filter matches, to change them for the team. An empty variable of a script must not change all of
    /// them.
    package func teamFlags(matching filter: String) throws(CommandFailure) -> [FlagFacts] {
        let flags = try flags(matching: filter)
        guard !FlagQuery(literal: filter).isEmpty else {
            throw CommandFailure(
                .usage, "--matching: \(JSONOutput.quoted(filter, limit: 80)) has no words. Nothing was changed.")
        }
        return flags
    }

    /// Requires that the team's values were read just now.
    package func requireCurrentTeam() throws(CommandFailure) {
        guard let error = team?.error else { return }
        throw CommandFailure(.remote, "Team: \(error.asSentence) Nothing was changed.")
    }

    /// The team's values that were read last.
    package var teamOverrides: FlagTable<FlagOverride> { team?.overrides ?? [:] }

    /// The address of the team; empty without a team.
    package var teamName: String { settings.team?.shown ?? "" }

    /// How many flags are changed at once. More are changed in several steps.
    private static let teamStep = 100

    /// Changes the team's values and prints the changes, in several steps if there are many.
    ///
    /// - Parameter flags: the edits of each flag.
    /// - Returns: whether anything changed.
    package func changeTeam(_ flags: [[OverrideEdit]]) throws(CommandFailure) -> Bool {
        var hasChanged = false
        for start in stride(from: 0, to: flags.count, by: Self.teamStep) {
            let step = flags[start..<min(start + Self.teamStep, flags.count)].flatMap { $0 }
            if try changeTeam(.edit(step)) { hasChanged = true }
        }
        return hasChanged
    }

    /// Changes the team's values at once and prints the changes; returns whether anything changed.
    package func changeTeam(_ request: TeamRequest) throws(CommandFailure) -> Bool {
        let team = try requireTeam()
        try settings.requireChanges()
        let start = SourceClock.system.now()
        let commit = try Self.result { () throws(SourceError) in
            try await team.apply(request, by: ProcessEnvironment.userName)
        }
        // The next command reads the change from the cache, even if etcd cannot be reached then.
        run.fetchTeam()
        report(commit, since: start)
        return !commit.changes.isEmpty
    }

    /// The changes of the team's values, the newest first.
    package func teamHistory(limit: Int?) throws(CommandFailure) -> [TeamChange] {
        let team = try requireTeam()
        return try Self.result { () throws(SourceError) in try await team.history(limit: limit) }
    }

    private static func result<Value: Sendable>(
        of work: @escaping @Sendable () async throws(SourceError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(SourceError) {
            return try Waiting.value(of: work)
        } catch {
            let isUsage = error.code == .rejected && error.status == nil
            throw CommandFailure(isUsage ? .usage : .remote, "Team: \(error.asSentence)")
        }
    }

    private func report(_ commit: TeamCommit, since start: FlagTimestamp) {
        if settings.isJSON {
            JSONOutput.object([
                ("revision", .integer(commit.revision)), ("changes", .array(commit.changes.map(\.teamJSON))),
            ]).print()
        }
        guard !settings.isQuiet else { return }
        for change in commit.changes {
            let (old, new) = (EffectiveChange.shown(change.old?.value), EffectiveChange.shown(change.new?.value))
            let additions = change.additions(at: start)
            let winner = factsOfAny(change.key).explanation.winner
            let note = winner.map { $0 < .team } == true ? "; hidden here by the \(winner?.word ?? "") value" : ""
            StandardError.printLine(
                "\(change.key): \(old) -> \(new) (team\(additions.isEmpty ? "" : ", \(additions)")\(note))")
        }
    }
}

extension OverrideChange {
    /// The change of a team's value as JSON.
    var teamJSON: JSONOutput {
        .object([
            ("key", .string(key)), ("old", FlagJSON.text(old?.value)), ("new", FlagJSON.text(new?.value)),
            ("note", FlagJSON.text(new?.note)), ("endsAt", FlagJSON.text(new?.end?.time?.rfc3339)),
        ])
    }
}

extension TeamChange {
    /// The change as lines: the action, then a line for each key.
    ///
    /// - Parameter isLocal: whether to use this machine's time zone instead of UTC.
    package func lines(isLocal: Bool) -> [String] {
        let local = at.local
        let moment = isLocal ? "\(local.date) \(local.time)" : at.rfc3339
        return ["\(revision)  \(moment)  \(by)  \(action)"]
            + changes.map { "    \($0.sentence)" }
    }

    package var json: JSONOutput {
        .object([
            ("revision", .integer(revision)), ("at", .string(at.rfc3339)), ("by", .string(by)),
            ("action", .string(action)), ("changes", .array(changes.map(\.teamJSON))),
        ])
    }
}
