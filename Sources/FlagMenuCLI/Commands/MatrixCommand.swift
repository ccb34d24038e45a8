import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace
import TerminalShell
import TerminalUI

struct MatrixCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "matrix", abstract: "Run a command with combinations of flags.",
        usage: """
            flagmenu matrix --each (--flags <keys> | ...) [<options>] -- <command> ...
            flagmenu matrix --pairwise (--flags <keys> | ...) [<options>] -- <command> ...
            flagmenu matrix --all (--flags <keys> | ...) [--yes] [<options>] -- <command> ...
            flagmenu matrix (--each | --pairwise | --all) (--flags <keys> | ...) --dry-run [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu matrix --pairwise --flags dark_mode,new_login,theme --dry-run
              flagmenu matrix --pairwise --matching cat:login -- swift test
              flagmenu matrix --each --scenario checkout --junit flags.xml -- ./smoke.sh

            The command runs once for each row, with FLAGMENU_STORE set to a temporary copy of your changes that has the \
            values of the row, so that nothing has to be restored. It passes with the exit code 0 and is skipped with \
            125; 126 and 127 mean that it cannot be started, and end the matrix. The output of a failing row is printed \
            to standard error after the row.

            A flag whose required flags are off has no effect. Rows that turn it on are left out, and their pairs are \
            in other rows; those that no row can have are named.

            --json writes an object with method, rows (row, values, result, exitCode, milliseconds), leftOut and shared: \
            the values, or else the pairs of values, that all failing rows have and no passing row.

            If a row fails, the command exits with 1.

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
    }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let matrix = try matrix(in: workspace)
        if !options.quiet { warn(about: matrix.leftOut.map(matrix.words)) }
        let table = MatrixTable(matrix, hasRuns: !dryRun)
        guard !dryRun else {
            let lines = matrix.rows.indices.map { table.line($0) }
            return options.print(MatrixReport(matrix).json, or: [table.heading] + lines)
        }
        if matrix.rows.count > Self.unaskedRows, !yes {
            try TerminalPrompt.require(for: "matrix with \(matrix.rows.count) rows", outcome: "Nothing was run.")
            guard TerminalPrompt.agreement("Run \(command[0]) \(matrix.rows.count) times?") else {
                return workspace.settings.printLine("Nothing was run.")
            }
        }
        let folder = workspace.settings.environment.workingDirectory
        let target = junit.map { ExportTarget(FilePath.resolve($0, in: folder), protecting: workspace.run.ownFiles) }
        // Before the runs, which may take long.
        if let target { _ = try ExportCommand.exists(target) }
        let report = try report(on: matrix, table, over: workspace.reading.table)
        try target?.write(report.junit, for: .everyone)
        if options.json { report.json.print() }
        if !options.quiet { report.summary.forEach(StandardError.printLine) }
        if report.count(of: .failed) > 0 { throw CommandFailure(.noMatch, "") }
    }

    /// Runs the command with each row, and prints a line for each.
    private func report(
        on matrix: FlagMatrix, _ table: MatrixTable, over changes: OverrideTable
    ) throws(CommandFailure) -> MatrixReport {
        var report = MatrixReport(matrix)
        let run = CommandRun(command, output: .captured)
        func printLine(_ line: String) throws(CommandFailure) {
            guard !options.json else { return options.quiet ? () : StandardError.printLine(line) }
            StandardOutput.write(lines: [line])
            try StandardOutput.flush()
        }
        try printLine(table.heading)
        for index in matrix.rows.indices {
            let start = ContinuousClock.now
            let (result, output) = try run(with: matrix.changes(ofRow: index, over: changes))
            let time = (ContinuousClock.now - start) / .milliseconds(1)
            if [.abort(126), .abort(127)].contains(result) {
                throw CommandFailure(.usage, "\(command[0]) cannot be started: it \(result.words) in row \(index + 1).")
            }
            let ended = MatrixReport.Run(
                result.ofRow, exitCode: result.exitCode, milliseconds: Int(time),
                output: result.ofRow == .failed ? String(decoding: output, as: UTF8.self) : "")
            report.runs.append(ended)
            try printLine(table.line(index, ended))
            if !options.quiet { StandardError.write(ended.output) }
        }
        return report
    }

    private func matrix(in workspace: Workspace) throws -> FlagMatrix {
        let flags = try selectedFlags(in: workspace)
        let valueCount = flags.reduce(0) { $0 + FlagMatrix.values(of: $1).count }
        guard valueCount <= FlagMatrix.valueLimit else {
            throw CommandFailure(
                .usage,
                "These flags have \(valueCount) values, but a matrix has at most \(FlagMatrix.valueLimit). "
                    + "Name fewer flags. Nothing was run.")
        }
        guard !all || FlagMatrix.combinationCount(of: flags) <= FlagMatrix.rowLimit else {
            throw CommandFailure(
                .usage,
                "These flags have more than \(FlagMatrix.rowLimit) combinations. Use --pairwise, or name fewer "
                    + "flags. Nothing was run.")
        }
        return FlagMatrix(method, of: flags, on: workspace.board)
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
            let scenario = try workspace.scenario(scenario ?? "")
            if !options.quiet { scenario.leftOut.forEach(StandardError.warn) }
            named = scenario.plan.values.sortedByKey.map { workspace.factsOfAny($0.key) }
        }
        let lacking = named.filter { FlagMatrix.values(of: $0).count < 2 }.map(\.key)
        let sentence =
            "\(lacking.joined(separator: ", ")) \(lacking.count == 1 ? "has" : "have") no options to choose from"
        guard lacking.isEmpty || flags == nil && lacking.count < named.count else {
            throw CommandFailure(.usage, "\(sentence). Nothing was run; add options to the catalog.")
        }
        guard !named.isEmpty else { throw CommandFailure(.usage, "No flag is named. Nothing was run.") }
        if !lacking.isEmpty, !options.quiet { StandardError.warn("\(sentence), and keep their value.") }
        return named.filter { FlagMatrix.values(of: $0).count >= 2 }
    }

    /// Names the values and pairs that no row has.
    private func warn(about leftOut: [String]) {
        guard !leftOut.isEmpty else { return }
        let shown = leftOut.prefix(MatrixReport.shownLimit).joined(separator: "; ")
        let more = leftOut.count - MatrixReport.shownLimit
        StandardError.warn(
            "No row has, because of required flags: \(shown)\(more > 0 ? "; and \(more) more, which --json lists" : "")."
        )
    }
}

/// The rows of a matrix as lines of a table, which is printed while they run.
private struct MatrixTable {
    private let matrix: FlagMatrix
    private let hasRuns: Bool
    /// The flags' keys, and their values in each row.
    private let cells: [String]

    init(_ matrix: FlagMatrix, hasRuns: Bool) {
        let values = matrix.rows.map { row in
            zip(matrix.columns, row).map { column, index in index.map { column.values[$0].orQuotes } ?? "-" }
        }
        (self.matrix, self.hasRuns, cells) = (matrix, hasRuns, ([matrix.columns.map(\.key)] + values).table)
    }

    var heading: String { line(["row"] + (hasRuns ? ["result", "exit", "time"] : []), cells[0]) }

    func line(_ index: Int, _ run: MatrixReport.Run? = nil) -> String {
        let result = run.map { run in
            let time = "\(run.milliseconds / 1_000).\(run.milliseconds % 1_000 / 100) s"
            return [run.result.rawValue, "\(run.exitCode)", time]
        }
        return line(["\(index + 1)"] + (result ?? []), cells[index + 1])
    }

    private func line(_ first: [String], _ last: String) -> String {
        let widths = [max(3, "\(matrix.rows.count)".count), MatrixReport.Run.Result.skipped.rawValue.count, 4, 7]
        let line = (zip(first, widths).map { $0.filled(to: $1) } + [last]).joined(separator: "  ")
        return LineWidth.ofOutput.map { DisplayText.clipped(line, to: $0, charset: TerminalLocale.charset) } ?? line
    }
}

extension CommandResult {
    /// What the result means for a row.
    fileprivate var ofRow: MatrixReport.Run.Result {
        switch self {
        case .good: .ok
        case .skip: .skipped
        case .bad, .abort, .signal: .failed
        }
    }

    /// The exit code, as a shell reports it.
    fileprivate var exitCode: Int32 {
        switch self {
        case .good: 0
        case .skip: 125
        case .bad(let code), .abort(let code): code
        case .signal(let number): 128 + number
        }
    }
}
