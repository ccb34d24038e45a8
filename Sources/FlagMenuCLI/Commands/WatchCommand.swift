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
        "watch", abstract: "Write one JSON line for each change of an effective value, until interrupted.",
        usage: "flagmenu watch [<key> ...] [--initial] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu watch
              flagmenu watch enable_multiple_locations | while read -r change; do ...; done
              flagmenu watch --initial login_variant

            Changes within 20 ms of each other are merged. A line has at, key, old, new and layer; in the \
            lines of --initial, old is null.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "Keys of flags; all by default.", completion: .custom { words, _, _ in Completions.keys(words) })
    var keys: [String] = []

    @ArgumentParser.Flag(help: "Write the current state first, one line for each flag.")
    var initial = false

    func run(in workspace: Workspace) throws {
        for key in keys { _ = try workspace.facts(of: key) }
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
        let news = DispatchSemaphore(value: 0)
        var followed = paths(workspace)
        var watches = try follow(followed, workspace.store) { news.signal() }
        defer { watches.forEach { $0.cancel() } }
        var current = values(in: workspace.board)
        if initial { try tellState(of: workspace.board) }
        var told = workspace.remarks
        // A change between the first reading and the watch is reported too.
        news.signal()
        while true {
            news.wait()
            while news.wait(timeout: .now()) == .success {}
            defer { usleep(Self.pause) }
            guard let next = reopen(workspace.settings, told: &told) else { continue }
            if paths(next) != followed {
                // The cache path may have changed with the context.
                followed = paths(next)
                let fresh = try follow(followed, next.store) { news.signal() }
                watches.forEach { $0.cancel() }
                watches = fresh
                news.signal()
            }
            // If a reading failed nothing is compared. The error is among the remarks.
            guard next.reading.areOverridesKnown else { continue }
            let values = values(in: next.board)
            try tell(from: current, to: values, on: next.board)
            current = values
        }
    }

    /// In microseconds, after each reading. If a store is replaced hundreds of times a second, changes are merged, to
    /// save CPU time.
    private static let pause: UInt32 = 20_000

    /// Each source, what other runs fetch and activate, and context overrides. The values of a service are cached by
    /// its context, so the path depends on it.
    private func paths(_ workspace: Workspace) -> [String] {
        workspace.settings.sources.compactMap(\.path) + workspace.run.flags.remote.watchedPaths
    }

    private func follow(
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

    /// Reads everything again; a remark is printed once, until it changes.
    private func reopen(_ settings: Settings, told: inout [String]) -> Workspace? {
        var remarks: [String]
        var result: Workspace?
        do throws(CommandFailure) {
            let workspace = try Workspace.open(settings, isAsking: false)
            workspace.saveCache()
            (result, remarks) = (workspace, workspace.remarks)
        } catch {
            remarks = [error.sentence]
        }
        if !settings.isQuiet { remarks.filter { !told.contains($0) }.forEach(StandardError.warn) }
        told = remarks
        return result
    }

    private func values(in board: FlagBoard) -> [String: String] {
        let wanted = Set(keys)
        var values: [String: String] = [:]
        for place in board.places {
            let key = board.key(at: place).string
            if wanted.isEmpty || wanted.contains(key) { values[key] = board.facts(at: place).value }
        }
        return values
    }

    /// Prints a line for every flag, even without a value.
    private func tellState(of board: FlagBoard) throws {
        let all = keys.isEmpty ? board.places.map { board.key(at: $0).string } : keys
        let now = SourceClock.system.now()
        for key in Set(all).sorted() {
            tell(key, old: nil, new: board.facts(of: FlagText(key)).value, at: now, on: board)
        }
        try StandardOutput.flush()
    }

    private func tell(from old: [String: String], to new: [String: String], on board: FlagBoard) throws {
        let now = SourceClock.system.now()
        for key in Set(old.keys).union(new.keys).sorted() where old[key] != new[key] {
            tell(key, old: old[key], new: new[key], at: now, on: board)
        }
        try StandardOutput.flush()
    }

    private func tell(_ key: String, old: String?, new: String?, at now: Timestamp, on board: FlagBoard) {
        JSONOutput.object([
            ("at", .string(now.rfc3339)), ("key", .string(key)), ("old", FlagJSON.text(old)),
            ("new", FlagJSON.text(new)),
            ("layer", FlagJSON.text(board.facts(of: FlagText(key)).explanation.winner?.word)),
        ]).print(indented: false)
    }
}
