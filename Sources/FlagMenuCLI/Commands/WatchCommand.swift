import ArgumentParser
import Dispatch
import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagWorkspace
import Flags
import Platform
import Synchronization

struct WatchCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "watch",
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
            faster than they are written are merged. A line has at, key, old, new and layer, and note, endsAt and \
            endsWithRestart of the override if it has them; in the lines of --initial, old is null.

            With --apps, writes a line when an app starts, ends, takes a value that has changed since its start, or \
            rejects one; with --json, an object with at, event (started, ended, took or rejected), app, process, key, \
            value, layer, milliseconds (from the change to its first reading) and reason.
            """)

    @Argument(help: "Keys of flags; all by default.", completion: Completions.keys)
    var keys: [String] = []

    @ArgumentParser.Flag(help: "Write the current state first, one line for each flag.")
    var initial = false

    @ArgumentParser.Flag(help: "Watch running apps: which start, end, and use a new value.")
    var apps = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    var runsWithoutValues: Bool { true }

    func isLocal(in workspace: Workspace) -> Bool { apps }

    func run(in workspace: Workspace) throws {
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
        guard !apps else { return try watchApps(in: workspace) }
        if let failure = workspace.missingValues {
            failure.report()
        } else {
            for key in keys { _ = try workspace.facts(of: key) }
        }
        var printedWarnings = workspace.warnings() + warnings(of: workspace)
        var current = try initial ? report(from: nil, on: workspace.board) : values(on: workspace.board)
        let run = workspace.run
        let updates = DispatchSemaphore(value: 0)
        let lacksValues = Atomic(false)
        let observation = run.flags.observe { change in
            guard !change.isProgress else { return }
            if change.isOfContext { lacksValues.store(true, ordering: .sequentiallyConsistent) }
            updates.signal()
        }
        defer { observation.cancel() }
        let follower = AppsFollower(workspace.settings.apps) { run.flags.listDeclared($0.declared) }
        follower.start()
        defer { follower.stop() }
        let subscription = run.followUpdates()
        defer { subscription.cancel() }
        run.flags.startWatching()
        if let error = run.flags.contents.watchError { throw CommandFailure(.store, error) }
        while true {
            updates.wait()
            while updates.wait(timeout: .now()) == .success {}
            // Taken before the values are read, so that no later change is missed.
            if lacksValues.exchange(false, ordering: .sequentiallyConsistent) { run.fetch(.withoutValues) }
            // Other commands read the cache.
            run.flags.remote.save()
            run.flags.teamEngine?.save()
            let workspace = Workspace(run)
            let warnings = warnings(of: workspace)
            if !options.quiet { warnings.filter { !printedWarnings.contains($0) }.forEach(StandardError.warn) }
            printedWarnings = warnings
            // If the overrides could not be read, nothing is compared; the error was printed as a warning.
            guard workspace.reading.areOverridesKnown else { continue }
            current = try report(from: current, on: workspace.board)
        }
    }

    /// Warnings, with the errors of sources and of the team without the age of their values, so that each is printed
    /// once.
    private func warnings(of workspace: Workspace) -> [String] {
        workspace.warnings(withSources: false, withTeam: false)
            + workspace.remote.sources.sources.compactMap { $0.reason() }
            + (workspace.team?.error.map { ["Team: \($0.asSentence)"] } ?? [])
    }

    private func watchedKeys(on board: FlagBoard) -> [FlagText] {
        keys.isEmpty ? board.places.map(board.key(at:)) : keys.map { FlagText($0) }
    }

    /// The effective values of the watched flags, by key.
    private func values(on board: FlagBoard) -> FlagTable<String> {
        watchedKeys(on: board).reduce(into: [:]) { $0[$1.string] = board.facts(of: $1).value }
    }

    /// Prints the changes of the watched flags, and returns their new values.
    ///
    /// - Parameter old: the values before; `nil` to print every flag, even without a value.
    private func report(from old: FlagTable<String>?, on board: FlagBoard) throws -> FlagTable<String> {
        let (now, new) = (SourceClock.system.now(), values(on: board))
        let keys = Set(watchedKeys(on: board)).union((old ?? [:]).keySet)
        for key in keys.sorted() where old == nil || old?[key.string] != new[key.string] {
            let facts = board.facts(of: key)
            JSONOutput.object(
                [
                    ("at", .string(now.rfc3339)), ("key", .string(key.string)),
                    ("old", FlagJSON.text(old?[key.string])), ("new", FlagJSON.text(new[key.string])),
                    ("layer", FlagJSON.text(facts.explanation.winner?.word)),
                ] + FlagJSON.additions(of: facts)
            ).print(indented: false)
        }
        try StandardOutput.flush()
        return new
    }
}

// Watching running apps instead of values.
extension WatchCommand {
    /// Prints what running apps do, until interrupted.
    func watchApps(in workspace: Workspace) throws {
        var current = initial ? [] : workspace.runningApps.apps
        let watchedKeys = Set(keys.map { FlagText($0) })
        try workspace.waitForApps(until: .distantFuture, interval: .seconds(1)) { reading in
            let now = SourceClock.system.now()
            for change in AppChange.between(current, reading.apps)
            where keys.isEmpty || change.key.map({ watchedKeys.contains(FlagText($0)) }) ?? true {
                options.json
                    ? change.json(at: now).print(indented: false)
                    : StandardOutput.write(lines: ["\(now.rfc3339)  \(change.sentence)"])
            }
            try StandardOutput.flush()
            current = reading.apps
            return false
        }
    }
}

extension RunStore {
    /// Subscribes to the sources, whose values become active at once, and to the team, until the task is cancelled.
    func followUpdates() -> Task<Void, Never> {
        let (remote, team) = (flags.remote, flags.teamEngine)
        return Task(executorPreference: OwnThreads.engine) {
            async let teamUpdates: Void? = team?.followUpdates()
            await remote.followUpdates(isActivating: true)
            _ = await teamUpdates
        }
    }
}

extension StoreChange {
    /// Whether sources are evaluated for another context, for which no values may be cached.
    fileprivate var isOfContext: Bool {
        if case .sources(let update) = cause, case .contextChanged = update.cause { true } else { false }
    }
}
