import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct BisectCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "bisect", abstract: "Find which of your changes breaks a command.",
        usage: """
            flagmenu bisect [--live] [<options>] -- <command> ...
            flagmenu bisect [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu bisect -- ./test.sh
              flagmenu bisect --good works --repeat 3 -- swift test --filter Checkout
              flagmenu bisect --live -- ./check-running-app.sh

            Runs the command with some of your changes at a time. If it exits with 0, these are good, with 1 to 124 bad, \
            and with 125 they are skipped; 126 and more, or a signal, ends the search. The command runs with \
            FLAGMENU_STORE set to a temporary copy of the store, and without input; yours is not changed. A flag is \
            tested with the flags that it requires.

            Without a command, changes the store itself, as --live does, and asks you whether the running app is good \
            or bad. A search that was started in the menu goes on.

            Exits with 0 if guilty changes are found, 1 if the result cannot be reproduced, 2 if the search was ended, \
            130 if it was stopped.
            """)

    @Option(
        help: ArgumentHelp("The state that is good: a scenario, or none for no changes.", valueName: "scenario"),
        completion: Completions.scenarios)
    var good = "none"

    @Option(
        help: ArgumentHelp("The state that is bad: a scenario, or current for your changes.", valueName: "scenario"),
        completion: Completions.scenarios)
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
        guard !command.isEmpty || TerminalPrompt.isPossible else {
            throw ValidationError("Name the command after --; only on a terminal can you judge states by hand.")
        }
        guard 1...1_000 ~= repetitions else { throw ValidationError("--repeat takes a number from 1 to 1000.") }
        guard live || command.isEmpty || waiting.time == nil else { throw ValidationError("--wait needs --live.") }
    }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let isPlain = command.isEmpty && good == "none" && bad == "current" && replay == nil
        let running = try CommandFailure.converting(to: .store) { () throws(StorageError) in
            isPlain ? try LiveSession.searchByHand(in: workspace.store) : nil
        }
        let plan = try BisectPlan(
            from: table(good, in: workspace), to: running?.original ?? table(bad, in: workspace)
        ) {
            workspace.factsOfAny($0.string).item?.requires ?? []
        }
        guard !plan.changes.isEmpty else {
            throw CommandFailure(.noMatch, "Nothing differs between \(good) and \(bad), so nothing was run.")
        }
        let target = log.map(workspace.exportTarget)
        if let target, let log, log != replay, try ExportCommand.exists(target) {
            throw CommandFailure(.usage, "\(log) exists; nothing was run. Choose another name.")
        }
        let start =
            try replayed(plan, in: workspace) ?? running.flatMap { plan.search(replaying: Array($0.log.utf8)) }
            ?? plan.search
        let search = try TestedCommand.test(
            command, output: options.json ? .toErrors : .passed, of: "bisect", isLive: live || command.isEmpty,
            isByHand: running != nil, waiting: waiting.time ?? (command.isEmpty ? nil : .standard), in: workspace
        ) { command throws(CommandFailure) in
            try self.search(from: start, plan, command, target, workspace.settings)
        }
        try report(search.step, plan, after: search.log.count - start.log.count, in: workspace)
    }

    /// The search with the outcomes of the log of `--replay`; `nil` without one.
    private func replayed(_ plan: BisectPlan, in workspace: Workspace) throws -> BisectSearch? {
        guard let replay else { return nil }
        let path = FilePath.resolve(replay, in: workspace.settings.environment.workingDirectory)
        if let search = try DurableFile.read(path).flatMap(plan.search) { return search }
        throw CommandFailure(.usage, "\(path) is not a log of a search among these changes. Nothing was run.")
    }

    /// The state that a name stands for.
    private func table(_ name: String, in workspace: Workspace) throws -> OverrideTable {
        switch name {
        case "none": return OverrideTable()
        case "current": return workspace.reading.table
        default:
            let applied = try workspace.applied(name)
            return OverrideTable(
                overrides: applied.overrides.mapValues { FlagOverride(value: $0) }, contexts: applied.contexts)
        }
    }

    /// Tests states until the search ends.
    private func search(
        from start: BisectSearch, _ plan: BisectPlan, _ command: TestedCommand, _ log: ExportTarget?,
        _ settings: Settings
    ) throws(CommandFailure) -> BisectSearch {
        var search = start
        while case .test(let state, let left) = search.step {
            let (number, count) = (search.log.count - start.log.count + 1, plan.changes.count.counted("change"))
            settings.printLine("Run \(number), about \(left - 1) left: \(state.count) of \(count).")
            let outcome = try judge(plan.table(with: state), plan.json(search), command, settings)
            search.record(outcome, for: state)
            try CommandFailure.converting(to: .store) { () throws(StorageError) in
                try log?.write(plan.json(search).text() + "\n")
            }
        }
        return search
    }

    /// The outcome of a state: that of the command, or what the user types.
    private func judge(
        _ state: OverrideTable, _ log: JSONOutput, _ tested: TestedCommand, _ settings: Settings
    ) throws(CommandFailure) -> BisectSearch.Outcome {
        guard !command.isEmpty else {
            try tested.use(state, log: log)
            return try typedOutcome()
        }
        var result = try tested.run(state, log: log).result
        for _ in 1..<repetitions where result.outcome == .good { result = try tested.run(state, log: log).result }
        guard result.code < 126 || crashIsBad && result.isCrash else {
            let remedy = result.isCrash ? " --crash-is-bad counts that as bad." : ""
            throw CommandFailure(.usage, "The command \(result.words), so the search was ended.\(remedy)")
        }
        settings.printLine("\(result.outcome.rawValue.capitalized): the command \(result.words).")
        return result.outcome
    }

    /// Asks for the outcome of the state that the store has now.
    private func typedOutcome() throws(CommandFailure) -> BisectSearch.Outcome {
        let outcomes: [String: BisectSearch.Outcome] = ["g": .good, "b": .bad, "s": .skip]
        while true {
            StandardError.write("Try the app: g good, b bad, s skip, q quit: ")
            let typed = try EndRequest.readLine()?.trimmed.lowercased() ?? "q"
            if typed == "q" { throw CommandFailure(.interrupted, "Stopped. Your changes are restored.") }
            if let outcome = outcomes[typed] { return outcome }
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
            let found = sets.map { set in
                JSONOutput.object([
                    ("changes", .array(set.changes.map { plan.difference($0).json })), ("exact", .bool(set.isExact)),
                ])
            }
            let lines = sets.map { $0.changes.map { plan.difference($0).sentence() } }.joined(separator: [""])
            options.print(.object([("runs", .integer(runs)), ("found", .array(found))]), or: Array(lines))
            try StandardOutput.flush()
            settings.printLine("Found in \(runs.counted("run")): \(plan.words(of: sets)).")
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
