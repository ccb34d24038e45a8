import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct BisectCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "bisect", abstract: "Find which of your changes breaks a command.",
        usage: "flagmenu bisect [--good <scenario>] [--bad <scenario>] [<options>] -- <command> ...",
        discussion: """
            EXAMPLES:
              flagmenu bisect -- ./test.sh
              flagmenu bisect --good works --repeat 3 -- swift test --filter Checkout
              flagmenu bisect --live -- ./check-running-app.sh

            Runs the command with some of your changes at a time. If it exits with 0, these are good, with 1 to 124 bad, and with 125 \
            they are skipped; 126 and more, or a signal, ends the search. The command runs with FLAGMENU_STORE set to a \
            temporary copy of the store, and without input; yours is not changed. A flag is tested with the flags that it requires.

            Exits with 0 if guilty changes are found, 1 if the result cannot be reproduced, 2 if the search was ended, \
            130 if it was stopped.
            """)

    @Option(help: ArgumentHelp("The state that is good: a scenario, or none for no changes.", valueName: "scenario"))
    var good = "none"

    @Option(
        help: ArgumentHelp("The state that is bad: a scenario, or current for your changes.", valueName: "scenario"))
    var bad = "current"

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("How many runs must be good until a state counts as good.", valueName: "count"))
    var repetitions = 1

    @Flag(help: "Count a crash, which is a signal or an exit code above 128, as bad.")
    var crashIsBad = false

    @Option(help: ArgumentHelp("Write the outcomes to this file.", valueName: "file"), completion: .file())
    var log: String?

    @Option(
        help: ArgumentHelp("Go on with the outcomes in this file of --log.", valueName: "file"), completion: .file())
    var replay: String?

    @Flag(help: "Change the store itself, wait for running apps before each run, and restore it.")
    var live = false

    @OptionGroup var waiting: WaitOptions

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, after --.", valueName: "command"))
    var command: [String] = []

    @OptionGroup(title: "General options") var options: GlobalOptions

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("Name the command after --.") }
        guard 1...1_000 ~= repetitions else { throw ValidationError("--repeat takes a number from 1 to 1000.") }
        guard live || waiting.time == nil else { throw ValidationError("--wait needs --live.") }
    }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let plan = try BisectPlan(from: table(good, in: workspace), to: table(bad, in: workspace)) {
            workspace.factsOfAny($0.string).item?.requires ?? []
        }
        guard !plan.changes.isEmpty else {
            throw CommandFailure(.noMatch, "Nothing differs between \(good) and \(bad), so nothing was run.")
        }
        let log = try BisectLog(to: log, replaying: replay, plan, in: workspace)
        let (step, runs) = try EndRequest.catching { () throws(CommandFailure) in
            let states = try TestedStates(
                TestedCommand(command, output: options.json ? .toErrors : .passed), isLive: live, of: "bisect",
                waiting: waiting.time ?? .standard, in: workspace)
            return try states.restoring { () throws(CommandFailure) in
                try search(plan, log, states, workspace.settings)
            }
        }
        try report(step, plan, after: runs, in: workspace)
    }

    /// The state that a name stands for.
    private func table(_ name: String, in workspace: Workspace) throws -> OverrideTable {
        switch name {
        case "none": return OverrideTable()
        case "current": return workspace.reading.table
        default:
            let scenario = try workspace.scenario(name)
            if !workspace.settings.isQuiet { scenario.leftOut.forEach(StandardError.warn) }
            let applied = scenario.plan.applied(as: name)
            return OverrideTable(
                overrides: applied.overrides.mapValues { FlagOverride(value: $0) }, contexts: applied.contexts)
        }
    }

    /// Tests states until the search ends; returns its last step and the number of runs.
    private func search(
        _ plan: BisectPlan, _ log: BisectLog, _ states: TestedStates, _ settings: Settings
    ) throws(CommandFailure) -> (BisectSearch.Step, runs: Int) {
        var (search, runs) = (log.search, 0)
        while case .test(let state, let left) = search.step {
            settings.printLine(
                "Run \(runs + 1), about \(left - 1) left: \(state.count) of \(plan.changes.count.counted("change")).")
            let prepared = try states.prepare(plan.table(with: state), log: plan.json(search))
            let (outcome, words) = try judge { () throws(CommandFailure) in
                runs += 1
                return try prepared().result
            }
            settings.printLine("\(outcome.rawValue.capitalized): the command \(words).")
            search.record(outcome, for: state)
            try log.write(search)
        }
        return (search.step, runs)
    }

    /// The outcome for a state, and how the command ended.
    private func judge(
        running run: () throws(CommandFailure) -> CommandResult
    ) throws(CommandFailure) -> (BisectSearch.Outcome, String) {
        var result = CommandResult.good
        for _ in 0..<repetitions where result == .good { result = try run() }
        switch result {
        case .good: return (.good, result.words)
        case .skip: return (.skip, result.words)
        case .bad: return (.bad, result.words)
        case .abort, .signal:
            if crashIsBad, result.isCrash { return (.bad, result.words) }
            let remedy = result.isCrash ? " --crash-is-bad counts that as bad." : ""
            throw CommandFailure(.usage, "The command \(result.words), so the search was ended.\(remedy)")
        }
    }

    /// Prints what was found, and offers to take it back.
    private func report(
        _ step: BisectSearch.Step, _ plan: BisectPlan, after runs: Int, in workspace: Workspace
    ) throws {
        let settings = workspace.settings
        switch step {
        case .test: return
        case .goodIsNotGood:
            throw CommandFailure(.noMatch, "The command is not good with \(good), so no change can be guilty alone.")
        case .badIsNotBad:
            throw CommandFailure(.noMatch, "The command is not bad with \(bad), so no change is guilty.")
        case .flaky(let state):
            throw CommandFailure(
                .noMatch,
                "A state with \(state.count.counted("change")) was both good and bad, so the result would be wrong. "
                    + "--repeat 5 counts a state as good only after 5 good runs.")
        case .found(let sets):
            options.print(
                .object([
                    ("runs", .integer(runs)),
                    (
                        "found",
                        .array(
                            sets.map { set in
                                .object([
                                    ("changes", .array(set.changes.map { plan.difference($0).json })),
                                    ("exact", .bool(set.isExact)),
                                ])
                            })
                    ),
                ]),
                or: Array(sets.map { $0.changes.map { plan.difference($0).sentence() } }.joined(separator: [""])))
            try StandardOutput.flush()
            let words = sets.map { set in set.changes.map { plan.changes[$0].name }.joined(separator: " with ") }
            settings.printLine("Found in \(runs.counted("run")): \(words.joined(separator: ", and ")).")
            if sets.contains(where: { !$0.isExact }) {
                settings.printLine("States were skipped, so that some of these changes may not be guilty.")
            }
            if bad == "current" { try offerReset(of: sets.flatMap(\.changes), plan, in: workspace) }
        }
    }

    /// Names the command that resets guilty overrides, and on a terminal asks whether to take back all guilty changes.
    private func offerReset(of guilty: [Int], _ plan: BisectPlan, in workspace: Workspace) throws {
        let keys = guilty.compactMap { number -> String? in
            guard case .flag(let key) = plan.changes[number], plan.difference(number).old == nil else { return nil }
            return key.string
        }
        let command = ShellCommand("reset", operands: keys, settings: options.arguments(workspace.settings)).text
        if !keys.isEmpty, let command {
            workspace.settings.printLine("\(command) resets \(keys.count == 1 ? "it" : "them").")
        }
        guard TerminalPrompt.isPossible, !options.json, !options.quiet,
            TerminalPrompt.agreement("Take back what is guilty now?")
        else { return }
        try workspace.apply(plan.edits(undoing: guilty))
    }
}

/// The outcomes of a search in a file, so that a later search can go on from them.
struct BisectLog {
    /// The search with the outcomes of the replayed file.
    let search: BisectSearch
    private let plan: BisectPlan
    private let target: ExportTarget?

    /// - Parameters:
    ///   - path: the file to write; `nil` for none.
    ///   - replayed: the file to read; `nil` for none.
    init(to path: String?, replaying replayed: String?, _ plan: BisectPlan, in workspace: Workspace) throws {
        let folder = workspace.settings.environment.workingDirectory
        self.plan = plan
        if let replayed {
            let bytes = try DurableFile.read(FilePath.resolve(replayed, in: folder))
            guard let bytes, let root = try? JSONDocument(parsing: bytes).root,
                let search = plan.search(replaying: root)
            else {
                throw CommandFailure(
                    .usage, "\(replayed) is not a log of a search among these changes. Nothing was run.")
            }
            self.search = search
        } else {
            search = plan.search
        }
        target = path.map {
            ExportTarget(FilePath.resolve($0, in: folder), protecting: workspace.run.ownFiles)
        }
        if let target, let path, path != replayed, try ExportCommand.exists(target) {
            throw CommandFailure(.usage, "\(path) exists; nothing was run. Choose another name.")
        }
    }

    /// Writes the outcomes of a search.
    func write(_ search: BisectSearch) throws(CommandFailure) {
        try CommandFailure.converting(to: .store) { () throws(StorageError) in
            try target?.write(plan.json(search).text() + "\n")
        }
    }
}
