package import FlagModel
package import FlagQueries
import FlagRemote
package import FlagStorage
package import Flags

/// The workspace of a command: settings, remote values, overrides, and the resulting flags.
package struct Workspace {
    package let run: RunStore
    package let reading: StoreReading
    package let remote: RemoteReading
    /// The team's values; `nil` without a team.
    package let team: TeamReading?
    package private(set) var board: FlagBoard

    package var settings: Settings { run.settings }
    package var store: OverrideStore { run.store }

    /// Opens the store of the settings with the values of files and the cached values of services. Requests no service.
    ///
    /// - Parameters:
    ///   - isPrompting: whether to prompt the user on a terminal for permissions of the project file.
    ///   - sendsRequests: whether requests may be sent later.
    package static func open(
        _ settings: Settings, isPrompting: Bool = true, sendsRequests: Bool = true
    ) throws(CommandFailure) -> Workspace {
        let run = try RunStore(settings, isPrompting: isPrompting, sendsRequests: sendsRequests)
        run.openRemote()
        return Workspace(run)
    }

    /// The workspace after requests to the services without values.
    package func fetchingMissingValues() -> Workspace {
        let lacksValues = remote.sources.sources.contains { $0.active == nil }
        run.fetch(.withoutValues)
        // If all sources have values nothing has changed, and the store and the catalog need no second reading.
        return lacksValues ? Workspace(run) : self
    }

    /// The workspace after a request of the team's values.
    package func fetchingTeam() -> Workspace {
        guard run.flags.teamEngine != nil else { return self }
        run.fetchTeam()
        return Workspace(run)
    }

    /// The error that no source has values; `nil` if a source has values, or if there is no source.
    package var missingValues: CommandFailure? { run.missingValues(in: remote.sources) }

    /// The current values of an open store.
    package init(_ run: RunStore) {
        self.run = run
        let contents = run.flags.contents
        remote = contents.remote
        team = run.flags.teamReading
        reading = contents.overrideFile ?? run.store.read()
        board = FlagBoard(
            snapshot: remote.snapshot, launch: run.settings.launch, overrides: reading.table.overrides,
            team: team?.overrides ?? [:])
        board.today = SourceClock.system.now().date
    }

    /// Warnings, a sentence each.
    ///
    /// - Parameters:
    ///   - withSources: whether to include the errors of sources.
    ///   - withTeam: whether to include the error of the team.
    ///   - inFull: whether to list the warnings of documents. Otherwise, several are one line, so that they do not hide
    ///     the output of a command.
    package func warnings(withSources: Bool = true, withTeam: Bool = true, inFull: Bool = false) -> [String] {
        [settings.configuration.unclearReadOnly].compactMap { $0.map { "\($0) Changes are rejected until then." } }
            + (settings.project?.warnings ?? []) + [unknownRemoteValues].compactMap { $0 }
            + (withSources ? remote.sources.errors(at: SourceClock.system.now()) : [])
            + [withTeam ? team?.error(at: SourceClock.system.now()) : nil].compactMap { $0 }
            + run.warnings
            + [remote.sources.watchError].compactMap { $0 }
            + (inFull ? documentIssues : Self.line(of: documentIssues)) + (team?.issues ?? [])
            + [reading.issue].compactMap { $0 }
    }

    /// The sources that have a context or conditions.
    package var evaluations: [SourceEvaluation] { remote.sources.evaluations }

    /// The warnings of the sources' documents and of `--defaults`.
    package var documentIssues: [String] {
        (run.defaultsIssues + remote.snapshot.issues).map(\.description)
    }

    /// Warnings of documents as one line; empty if there are none.
    package static func line(of issues: [String]) -> [String] {
        issues.count > 1 ? ["\(issues.count) warnings, see flagmenu doctor"] : issues
    }

    /// When the values in use were fetched; `nil` for the sample, and if there are none.
    package var fetchedAt: FlagTimestamp? { settings.isSample ? nil : remote.fetchedAt }

    /// Caches the values that were read; call it after the command has printed its output.
    package func saveCache() {
        for error in [run.flags.remote.save(), run.flags.teamEngine?.save()] {
            if let error { StandardError.warn(error) }
        }
    }

    /// The facts of a key in any layer or the catalog.
    ///
    /// - Throws: an error with the nearest keys if the key is unknown.
    package func facts(of key: String) throws(CommandFailure) -> FlagFacts {
        guard let facts = knownFacts(of: key) else { throw unknownKey(key) }
        return facts
    }

    /// The facts of a key, known or not.
    package func factsOfAny(_ key: String) -> FlagFacts { board.facts(of: FlagText(key)) }

    /// The facts of a key to be set; `nil` if the key is unknown and new keys are allowed.
    ///
    /// - Throws: an error if the key is empty, or unknown and new keys are not allowed.
    package func facts(of key: String, allowsNew: Bool) throws(CommandFailure) -> FlagFacts? {
        if let facts = knownFacts(of: key) { return facts }
        guard !key.isEmpty else {
            throw CommandFailure(.usage, "A key needs at least one character. Nothing was changed.")
        }
        guard !allowsNew else { return nil }
        let failure = unknownKey(key)
        throw CommandFailure(
            failure.status, "\(failure.sentence) Nothing was changed; --new sets it anyway.")
    }

    /// The facts of a key; `nil` if the key is unknown.
    package func knownFacts(of key: String) -> FlagFacts? { board.knownFacts(of: key) }

    /// Whether an override, or a value for this run only, decides the effective value of a key.
    package func isSetLocally(_ key: String) -> Bool {
        guard let winner = knownFacts(of: key)?.explanation.winner else { return false }
        return winner == .launch || winner == .override
    }

    /// The places of the flags in the category called `name`, in upper or lower case.
    package func places(inCategory name: String) throws(CommandFailure) -> [FlagBoard.Place] {
        let categories = board.catalog.categories
        guard let category = categories.first(where: { $0.name.string.lowercased() == name.lowercased() }) else {
            let hint = NearestKeys.suggestion(about: name, among: categories.lazy.map(\.name.string), naming: 3)
            throw CommandFailure(.noMatch, "\(JSONOutput.quoted(name, limit: 60)) is not a category.\(hint)")
        }
        return Array(category.items)
    }

    /// The flags that a filter matches, for a command that changes them.
    ///
    /// - Throws: an error if no flag matches, or the filter has an unknown condition.
    package func flags(matching filter: String) throws(CommandFailure) -> [FlagFacts] {
        let places = try places(matching: filter)
        guard !places.isEmpty else {
            // Without readable overrides, the filter may have missed flags.
            try requireOverrides()
            throw CommandFailure(
                .noMatch, "No flag matches \(JSONOutput.quoted(filter, limit: 80)). Nothing was changed.")
        }
        return places.map(board.facts(at:))
    }

    /// The places of the flags that a filter matches.
    ///
    /// - Throws: an error if the filter has an unknown condition.
    package func places(
        matching filter: String, order: ListOrder = .catalog, isOverriddenOnly: Bool = false
    ) throws(CommandFailure) -> [FlagBoard.Place] {
        try CommandFailure.converting(to: .usage) {
            try board.places(matching: filter, order: order, isOverriddenOnly: isOverriddenOnly)
        } sentence: {
            "--matching: \($0)"
        }
    }

    /// The error that a key is unknown, with the nearest keys. If overrides cannot be read, the error says so instead.
    package func unknownKey(_ key: String) -> CommandFailure {
        guard reading.areOverridesKnown else {
            return CommandFailure(
                .store, "\(JSONOutput.quoted(key, limit: 80)) may be overridden, but the overrides cannot be read.")
        }
        let sentences = [board.sentence(onUnknown: key), unknownApp].compactMap { $0 }
        return CommandFailure(.noMatch, sentences.joined(separator: " "))
    }

    /// Requires that overrides can be read. Without them the output would be wrong.
    package func requireOverrides() throws(CommandFailure) {
        guard !reading.areOverridesKnown else { return }
        // The issue was printed as a warning, unless `--quiet` is set.
        throw CommandFailure(.store, settings.isQuiet ? reading.issue ?? "" : "")
    }
}
