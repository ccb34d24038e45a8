import ArgumentParser
import Dispatch
import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags
import Platform
import Synchronization

/// `flagmenu watch`.
struct WatchCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Write a line for each change of an effective value or of a running app, until interrupted.",
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
            Subscribes to services as a running app does, and activates what they send. Changes that come \
            faster than they are written are merged. A line has at, key, old, new and layer; in the \
            lines of --initial, old is null.

            With --apps, writes a line when an app starts, ends, takes a value that has changed since its start, or \
            rejects one; with --json, an object with at, event (started, ended, took or rejected), app, process, key, \
            value, layer, milliseconds (from the change to its first reading) and reason.
            """)

    @Argument(
        help: "Keys of flags; all by default.", completion: .custom { words, _, _ in Completions.keys(words) })
    var keys: [String] = []

    @ArgumentParser.Flag(help: "Write the current state first, one line for each flag.")
    var initial = false

    @ArgumentParser.Flag(help: "Watch running apps: which start, end, and use a new value.")
    var apps = false

    @OptionGroup(title: "General options") var options: GlobalOptions

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
        var printedWarnings = workspace.warnings() + warnings(of: workspace)
        var current = values(in: workspace.board)
        if initial { try printState(of: workspace.board) }
        let run = workspace.run
        let updates = DispatchSemaphore(value: 0)
        let lacksValues = Mutex(false)
        let observation = run.flags.observe { change in
            guard !change.isProgress else { return }
            if change.isOfContext { lacksValues.withLock { $0 = true } }
            updates.signal()
        }
        defer { observation.cancel() }
        let follower = AppsFollower(workspace.settings.apps) { run.flags.listDeclared($0.declared) }
        follower.start()
        defer { follower.stop() }
        let (remote, team) = (run.flags.remote, run.flags.teamEngine)
        let subscription = Task(executorPreference: OwnThreads.engine) {
            async let teamUpdates: Void? = team?.followUpdates()
            await remote.followUpdates(isActivating: true)
            _ = await teamUpdates
        }
        defer { subscription.cancel() }
        run.flags.startWatching()
        if let error = run.flags.contents.watchError { throw CommandFailure(.store, error) }
        while true {
            updates.wait()
            while updates.wait(timeout: .now()) == .success {}
            // Taken before the values are read, so that no later change is missed.
            let isFetching = lacksValues.withLock { lacksValues in
                defer { lacksValues = false }
                return lacksValues
            }
            if isFetching { run.fetch(.withoutValues) }
            // Other commands read the cache.
            remote.save()
            team?.save()
            let workspace = Workspace(run)
            printNew(warnings(of: workspace), &printedWarnings, workspace.settings)
            // If the overrides could not be read, nothing is compared; the error was printed as a warning.
            guard workspace.reading.areOverridesKnown else { continue }
            try report(&current, on: workspace.board)
        }
    }

    /// Warnings, with the errors of sources and of the team without the age of their values, so that each is printed
    /// once.
    private func warnings(of workspace: Workspace) -> [String] {
        workspace.warnings(withSources: false, withTeam: false)
            + workspace.remote.sources.sources.compactMap { $0.reason() }
            + (workspace.team?.error.map { ["Team: \($0.asSentence)"] } ?? [])
    }

    /// Prints the warnings that were not there before.
    private func printNew(_ warnings: [String], _ printed: inout [String], _ settings: Settings) {
        if !settings.isQuiet { warnings.filter { !printed.contains($0) }.forEach(StandardError.warn) }
        printed = warnings
    }

    private func watchedKeys(on board: FlagBoard) -> [FlagText] {
        keys.isEmpty ? board.places.map(board.key(at:)) : keys.map { FlagText($0) }
    }

    /// The effective values of the watched flags, by key.
    private func values(in board: FlagBoard) -> FlagTable<String> {
        watchedKeys(on: board).reduce(into: [:]) { $0[$1.string] = board.facts(of: $1).value }
    }

    /// Prints a line for every watched flag, even without a value.
    private func printState(of board: FlagBoard) throws {
        let now = SourceClock.system.now()
        for key in Set(watchedKeys(on: board)).sorted() {
            report(key.string, old: nil, new: board.facts(of: key).value, at: now, on: board)
        }
        try StandardOutput.flush()
    }

    /// Prints the changes of the watched flags.
    private func report(_ current: inout FlagTable<String>, on board: FlagBoard) throws {
        let (now, new) = (SourceClock.system.now(), values(in: board))
        let keys = Set((Array(current.keys) + Array(new.keys)).map { FlagText($0) })
        for key in keys.sorted() where current[key.string] != new[key.string] {
            report(key.string, old: current[key.string], new: new[key.string], at: now, on: board)
        }
        current = new
        try StandardOutput.flush()
    }

    private func report(_ key: String, old: String?, new: String?, at now: FlagTimestamp, on board: FlagBoard) {
        JSONOutput.object([
            ("at", .string(now.rfc3339)), ("key", .string(key)), ("old", FlagJSON.text(old)),
            ("new", FlagJSON.text(new)),
            ("layer", FlagJSON.text(board.facts(of: FlagText(key)).explanation.winner?.word)),
        ]).print(indented: false)
    }
}

extension StoreChange {
    /// Whether sources are evaluated for another context, for which no values may be cached.
    fileprivate var isOfContext: Bool {
        if case .sources(let update) = cause, case .contextChanged = update.cause { true } else { false }
    }
}
