import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct MatrixCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "matrix", abstract: "Run a command with combinations of flags.",
        usage: """
            flagmenu matrix (--each | --pairwise | --all) (--flags <keys> | ...)
                            [--dry-run] [<options>] -- <command> ...
            """,
        discussion: """
            EXAMPLES:
              flagmenu matrix --pairwise --flags dark_mode,new_login,theme --dry-run
              flagmenu matrix --each --scenario checkout --junit flags.xml -- swift test

            Runs the command with each row of flags' values, with FLAGMENU_STORE set to a temporary copy of your changes, \
            and without input. Exit code 0 of the command is ok, 125 skips the row; 126 and 127, which say \
            that it cannot be started, end the matrix; the row fails with any other. Prints the output of failing rows. \
            Exits with 1 if a row fails.

            Rows are left out that turn a flag on whose required flags are off. Values and pairs that no row has are named.

            --json writes an object with method, rows (row, values, result, exitCode, milliseconds), leftOut and shared: \
            the values, or else the pairs of values, that all failing rows have and no passing row.

            \(FilterHelp.text)
            """)

    @Flag(help: "One value of one flag in each row, and the others as they are.") var each = false

    @Flag(help: "Every two values of two flags in some row, with few rows.") var pairwise = false

    @Flag(help: "Every combination; asks above 100 rows.") var all = false

    @Option(
        help: ArgumentHelp("Flags, with commas between them.", valueName: "keys"), completion: Completions.keys)
    var flags: String?

    @Option(help: ArgumentHelp("The flags that a filter matches.", valueName: "filter"))
    var matching: String?

    @Option(help: ArgumentHelp("The flags of a scenario.", valueName: "name"), completion: Completions.scenarios)
    var scenario: String?

    @Flag(help: "Only show the rows.") var dryRun = false

    @Flag(help: "Do not ask.") var yes = false

    @Flag(help: "Change the store itself, wait for running apps before each row, and restore it.") var live = false

    @OptionGroup var waiting: WaitOptions

    @Option(help: ArgumentHelp("Write a report in JUnit's format.", valueName: "file"), completion: .file())
    var junit: String?

    @Argument(parsing: .postTerminator, help: "The command to run, after --.") var command: [String] = []

    @OptionGroup(title: "General options") var options: GlobalOptions

    /// More rows are run only after a confirmation.
    private static let unaskedRows = 100

    private var method: FlagMatrix.Method { each ? .each : pairwise ? .pairwise : .all }

    func validate() throws {
        guard [each, pairwise, all].count(where: { $0 }) == 1 else {
            throw ValidationError("Use one of --each, --pairwise and --all.")
        }
        guard [flags, matching, scenario].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("Name flags with one of --flags, --matching and --scenario.")
        }
        guard dryRun || !command.isEmpty else {
            throw ValidationError("Name the command after --, or use --dry-run.")
        }
        guard live || waiting.time == nil else { throw ValidationError("--wait needs --live.") }
    }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let matrix = try matrix(in: workspace)
        if !options.quiet, !matrix.leftOut.isEmpty {
            let words = matrix.leftOut.map { matrix.words(of: $0) }.joined(separator: "; ")
            StandardError.warn("No row has these values, as a flag that one of them requires is off: \(words).")
        }
        guard !dryRun else {
            let cells = matrix.rows.map { row in row.map { $0.map { matrix.values[$0].text.orQuotes } ?? "-" } }
            let table = ([matrix.columns.map(\.key)] + cells).table(columns: LineWidth.ofOutput)
            return options.print(MatrixReport(matrix: matrix).json, or: table)
        }
        let count = matrix.rows.count
        if count > Self.unaskedRows, !yes {
            try TerminalPrompt.require(for: "matrix with \(count) rows", outcome: "Nothing was run.")
            guard TerminalPrompt.agreement("Run \(command[0]) \(count) times?") else {
                return workspace.settings.printLine("Nothing was run.")
            }
        }
        let target = junit.map(workspace.exportTarget)
        // Before the runs, which may take long.
        if let target { _ = try ExportCommand.exists(target) }
        let report = try TestedCommand.test(
            command, output: .captured, of: "matrix", isLive: live, waiting: waiting.time ?? .standard, in: workspace
        ) { command throws(CommandFailure) in
            try self.report(on: matrix, command, in: workspace)
        }
        try target?.write(report.junit, for: .everyone)
        if options.json { report.json.print() }
        if !options.quiet { report.summary.forEach(StandardError.printLine) }
        if report.count(of: .bad) > 0 { throw CommandFailure(.noMatch, "") }
    }

    /// Runs the command with each row, and prints a line for each.
    private func report(
        on matrix: FlagMatrix, _ tested: TestedCommand, in workspace: Workspace
    ) throws(CommandFailure) -> MatrixReport {
        var report = MatrixReport(matrix: matrix)
        for index in matrix.rows.indices {
            let start = ContinuousClock.now
            let row = matrix.rows[index]
            let values = matrix.pairs(row).map { OverrideEdit.set(key: $0.key, value: $0.text) }
            let (result, output) = try tested.run(workspace.reading.table.applying(values))
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            if [126, 127].contains(result.code) {
                throw CommandFailure(.usage, "\(command[0]) cannot be started: it \(result.words).")
            }
            let run = MatrixReport.Run(
                result: result, milliseconds: milliseconds,
                output: result.outcome == .bad ? String(decoding: output, as: UTF8.self) : "")
            report.runs.append(run)
            let cells = [
                "\(index + 1)/\(matrix.rows.count)", result.outcome.word, "\(result.code)", "\(run.seconds) s",
            ]
            let columns = zip(cells, [7, 7, 3, 9]).map { $0.filled(to: $1) } + [matrix.words(of: row)]
            let line = columns.joined(separator: "  ")
            if options.json {
                workspace.settings.printLine(line)
            } else {
                StandardOutput.write(lines: [line])
                try StandardOutput.flush()
            }
            if !options.quiet { StandardError.write(run.output) }
        }
        return report
    }

    private func matrix(in workspace: Workspace) throws -> FlagMatrix {
        let flags = try selectedFlags(in: workspace)
        guard let matrix = FlagMatrix(method, of: flags, on: workspace.board) else {
            throw CommandFailure(
                .usage,
                "A matrix has at most \(FlagMatrix.valueLimit) values of flags, and with --all at most "
                    + "\(FlagMatrix.rowLimit) combinations. Name fewer flags. Nothing was run.")
        }
        return matrix
    }

    /// The flags of the matrix. A named flag without options is an error; those of a filter or a scenario are left out.
    private func selectedFlags(in workspace: Workspace) throws -> [FlagFacts] {
        let named: [FlagFacts]
        if let flags {
            var seen: Set<FlagText> = []
            let keys = flags.split(separator: ",").map { String($0).trimmed }.filter {
                seen.insert(FlagText($0)).inserted
            }
            named = try keys.map { try workspace.facts(of: $0) }
        } else if let matching {
            named = try workspace.flags(matching: matching)
        } else {
            let applied = try workspace.applied(scenario ?? "")
            named = applied.overrides.sortedByKey.map { workspace.factsOfAny($0.key) }
        }
        let lacking = named.filter { FlagMatrix.values(of: $0).count < 2 }.map(\.key)
        let sentence =
            "\(lacking.joined(separator: ", ")) \(lacking.count == 1 ? "has" : "have") no options to choose from"
        guard lacking.isEmpty || flags == nil && lacking.count < named.count else {
            throw CommandFailure(.usage, "\(sentence). Nothing was run; add options to the catalog.")
        }
        guard !named.isEmpty else { throw CommandFailure(.usage, "No flag is named. Nothing was run.") }
        if !lacking.isEmpty, !options.quiet { StandardError.warn("\(sentence). Left out of the rows.") }
        return named.filter { FlagMatrix.values(of: $0).count >= 2 }
    }
}
