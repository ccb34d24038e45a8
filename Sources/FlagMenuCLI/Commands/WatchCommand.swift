import ArgumentParser
import DeveloperMenu
import Dispatch
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import Platform

/// `flagmenu watch`.
struct WatchCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "watch", abstract: "Write a line for each change of an effective value or of a running app, until interrupted.",
        usage: """
            flagmenu watch [<key> ...] [--initial] [<options>]
            flagmenu watch --apps [<key> ...] [--initial] [--json] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu watch
              flagmenu watch enable_multiple_locations | while read -r change; do ...; done
              flagmenu watch --initial login_variant

            Without --apps, each line is a JSON object. \
            Subscribes to services as a running app does, and activates what they send. Changes within 20 ms of \
            each other are merged. A line has at, key, old, new and layer; in the \
            lines of --initial, old is null.

            With --apps, writes a line when an app starts, ends, takes a value that has changed since its start, or \
            rejects one; with --json, an object with at, event (started, ended, took or rejected), app, process, key, \
            value, layer, milliseconds (from the change to its first reading) and reason.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "Keys of flags; all by default.", completion: .custom { words, _, _ in Completions.keys(words) })
    var keys: [String] = []

    @ArgumentParser.Flag(help: "Write the current state first, one line for each flag.")
    var initial = false

    @ArgumentParser.Flag(help: "Watch running apps: which start, end, and use a new value.")
    var apps = false

    var runsWithoutValues: Bool { true }

    func isLocal(in workspace: Workspace) -> Bool { apps }

    func run(in workspace: Workspace) throws {
        if apps {
            signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
            return try watchApps(in: workspace)
        }
        if let failure = workspace.missingValues {
            failure.report()
        } else {
            for key in keys { _ = try workspace.facts(of: key) }
        }
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
        let updates = DispatchSemaphore(value: 0)
        let remote = workspace.run.flags.remote
        let stopObserving = remote.observe { update in
            switch update.cause {
            case .responded, .liveUpdates, .contextChanged: updates.signal()
            default: break
            }
        }
        defer { stopObserving() }
        let observation = workspace.run.flags.observe { change in
            if case .team = change.cause { updates.signal() }
        }
        defer { observation.cancel() }
        let hasServices = workspace.settings.hasOnlyCode || workspace.settings.sources.contains { $0.kind != nil }
        let subscription = Task(executorPreference: OwnThreads.engine) {
            if hasServices { await remote.followUpdates(isActivating: true) }
        }
        defer { subscription.cancel() }
        let team = workspace.run.flags.teamEngine
        let teamSubscription = Task(executorPreference: OwnThreads.engine) { await team?.followUpdates() }
        defer { teamSubscription.cancel() }
        do throws(StorageError) { try remote.watch() } catch { throw CommandFailure(.store, error.description) }
        var watchedPaths = paths(workspace)
        var watches = try watch(watchedPaths, workspace.store) { updates.signal() }
        defer { watches.forEach { $0.cancel() } }
        var current = values(in: workspace.board)
        if initial { try printState(of: workspace.board) }
        var printedWarnings = workspace.warnings
        // Read again immediately: something may have changed between the first reading and the start of the watch.
        updates.signal()
        while true {
            updates.wait()
            while updates.wait(timeout: .now()) == .success {}
            defer { usleep(Self.pause) }
            // The other workspace reads the cache.
            remote.save()
            team?.save()
            let errors = Self.reasons(in: remote.current) + Self.reasons(in: workspace.run.flags.teamReading)
            guard let reopened = reopen(workspace.settings, errors, printedWarnings: &printedWarnings) else { continue }
            if paths(reopened) != watchedPaths {
                // The path of cached values depends on the context, and both may have changed.
                watchedPaths = paths(reopened)
                let newWatches = try watch(watchedPaths, reopened.store) { updates.signal() }
                watches.forEach { $0.cancel() }
                watches = newWatches
                updates.signal()
            }
            // If the overrides could not be read, nothing is compared; the error was printed as a warning.
            guard reopened.reading.areOverridesKnown else { continue }
            let values = values(in: reopened.board)
            try report(from: current, to: values, on: reopened.board)
            current = values
        }
    }

    /// The pause after each reading, in microseconds. Changes during the pause are reported as one, to save CPU time if
    /// a store is replaced hundreds of times a second.
    private static let pause: UInt32 = 20_000

    /// The watched paths: files of sources, cached values of other runs, and context overrides. The path of cached
    /// values depends on the evaluation context.
    private func paths(_ workspace: Workspace) -> [String] {
        workspace.settings.sources.compactMap(\.path) + workspace.run.flags.remote.watchedPaths
    }

    private func watch(
        _ paths: [String], _ store: OverrideStore, _ onChange: @escaping @Sendable () -> Void
    ) throws(CommandFailure) -> [DirectoryWatch] {
        do throws(StorageError) {
            var watches = [try store.watch(onChange)]
            for path in paths { watches.append(try DirectoryWatch(path, onChange: onChange)) }
            return watches
        } catch {
            throw CommandFailure(.store, error.description)
        }
    }

    /// The errors of sources, without the age of their values, so that each is printed once.
    private static func reasons(in state: RemoteState) -> [String] { state.sources.compactMap { $0.reason() } }

    private static func reasons(in team: TeamReading?) -> [String] {
        (team?.error).map { ["Team: \($0.asSentence)"] } ?? []
    }

    /// Reads everything again; `nil` on errors. Prints errors and warnings that the last reading did not have.
    ///
    /// - Parameter errors: the errors of the services that this command has subscribed to.
    private func reopen(_ settings: Settings, _ errors: [String], printedWarnings: inout [String]) -> Workspace? {
        var warnings: [String]
        var result: Workspace?
        do throws(CommandFailure) {
            let workspace = try Workspace.open(settings, isPrompting: false).fetchingMissingValues()
            workspace.saveCache()
            let others = Self.reasons(in: workspace.remote.sources).filter { !errors.contains($0) }
            (result, warnings) = (workspace, workspace.warnings(withSources: false) + errors + others)
        } catch {
            warnings = [error.sentence]
        }
        if !settings.isQuiet { warnings.filter { !printedWarnings.contains($0) }.forEach(StandardError.warn) }
        printedWarnings = warnings
        return result
    }

    /// The effective values of the watched flags, by key.
    private func values(in board: FlagBoard) -> FlagTable<String> {
        let watchedKeys = Set(keys.map { FlagText($0) })
        var values: FlagTable<String> = [:]
        for place in board.places {
            let key = board.key(at: place)
            if watchedKeys.isEmpty || watchedKeys.contains(key) { values[key.string] = board.facts(at: place).value }
        }
        return values
    }

    /// Prints a line for every watched flag, even without a value.
    private func printState(of board: FlagBoard) throws {
        let watchedKeys = keys.isEmpty ? board.places.map(board.key(at:)) : keys.map { FlagText($0) }
        let now = SourceClock.system.now()
        for key in Set(watchedKeys).sorted() {
            report(key.string, old: nil, new: board.facts(of: key).value, at: now, on: board)
        }
        try StandardOutput.flush()
    }

    private func report(from old: FlagTable<String>, to new: FlagTable<String>, on board: FlagBoard) throws {
        let now = SourceClock.system.now()
        for key in new.changedKeys(from: old).sorted().map(\.string) {
            report(key, old: old[key], new: new[key], at: now, on: board)
        }
        try StandardOutput.flush()
    }

    private func report(_ key: String, old: String?, new: String?, at now: Timestamp, on board: FlagBoard) {
        JSONOutput.object([
            ("at", .string(now.rfc3339)), ("key", .string(key)), ("old", FlagJSON.text(old)),
            ("new", FlagJSON.text(new)),
            ("layer", FlagJSON.text(board.facts(of: FlagText(key)).explanation.winner?.word)),
        ]).print(indented: false)
    }
}
