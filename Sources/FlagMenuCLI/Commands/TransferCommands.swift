import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage

/// `flagmenu export`.
struct ExportCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "export", abstract: "Write the overrides as JSON, with app, source and date.",
        usage: "flagmenu export [<file>] [--force] [--dry-run] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu export overrides.json
              flagmenu export - | ssh device flagmenu import -

            The members are app, source, exportedAt and overrides, an object of keys and values. import reads only overrides.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file; - or nothing is standard output.", completion: .file())
    var file: String = "-"

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Only show what would be written.")
    var dryRun = false

    private var targetName: String { file == "-" ? "standard output" : file }

    func run(in workspace: Workspace) throws {
        let path = FilePath.resolve(file, in: workspace.settings.environment.workingDirectory)
        let target = ExportTarget(path, sparing: workspace.run.ownFiles)
        if file != "-", try Self.isTaken(target), !force {
            throw CommandFailure(
                .usage, "\(file) exists; nothing was written. --force replaces it, or choose another name.")
        }
        let origin = ExportOrigin(
            app: workspace.settings.app, source: workspace.run.sourceTitle, time: SourceClock.system.now())
        let text = try Self.failing { () throws(StorageError) in try workspace.reading.exported(from: origin) }
        let count = workspace.reading.exportedCount
        if workspace.reading.table.overrides[""] != nil {
            StandardError.warn("The override of the empty key is left out, as it cannot be imported.")
        }
        guard !dryRun else { return StandardError.say("\(count) would be written to \(targetName).") }
        guard file != "-" else { return StandardOutput.write(text) }
        _ = try Self.failing { () throws(StorageError) in try target.write(workspace.reading, from: origin) }
        workspace.settings.say("\(count) written to \(targetName).")
    }

    /// Whether the file exists.
    ///
    /// - Throws: an error if it must not be replaced, or if its folder is missing.
    static func isTaken(_ target: ExportTarget) throws(CommandFailure) -> Bool {
        do throws(StorageError) {
            return try target.isTaken()
        } catch {
            throw CommandFailure(error.code == .notAFile ? .store : .usage, error.description)
        }
    }

    private static func failing<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(StorageError) {
            return try body()
        } catch {
            throw CommandFailure(error.code == .refused ? .usage : .store, error.description)
        }
    }
}

/// `flagmenu import`.
struct ImportCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "import", abstract: "Add overrides from a JSON file, or replace all with them.",
        usage: "flagmenu import <file> [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu import overrides.json --dry-run
              flagmenu import - --replace < overrides.json

            The file is what export writes, an object of keys and values, or an override file as the store keeps it. If an entry \
            cannot be imported, all that is wrong is printed and nothing is imported, unless --skip-invalid leaves such entries \
            out. On a terminal, import asks whether unknown keys are imported.
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The file; - is standard input.", completion: .file())
    var file: String

    @Flag(help: "Remove overrides that the file does not name.")
    var replace = false

    @Flag(help: "Only show what would change.")
    var dryRun = false

    @Flag(help: "Allow values outside the options.")
    var any = false

    @Flag(help: "Allow keys that are not in the catalog or remote.")
    var new = false

    @Flag(help: "Leave out entries that cannot be imported.")
    var skipInvalid = false

    func run(in workspace: Workspace) throws {
        let here = workspace.settings.environment.workingDirectory
        let source =
            file == "-"
            ? ImportFile(path: nil, origin: "standard input")
            : ImportFile(path: FilePath.resolve(file, in: here), origin: file)
        let (plan, withUnknown) = try plan(of: try source.read(), in: workspace)
        let question = BulkQuestion.importing(
            plan, from: file, withUnknown: withUnknown, over: workspace.reading.table.overrides, replacing: replace,
            into: workspace.settings.app, facts: workspace.factsOfAny)
        let commit = try BulkChange(question: question, workspace: workspace, name: "import", label: "import")
            .run(asks: false, isDryRun: dryRun)
        guard let commit, !commit.changes.isEmpty, !workspace.settings.isQuiet else { return }
        StandardError.say("\(commit.changes.count.counted("override")) changed.")
    }

    /// The entries of a file, and whether to import those with unknown keys.
    ///
    /// - Throws: an error that nothing is imported, after every reason is printed.
    private func plan(
        of entries: ImportEntries, in workspace: Workspace
    ) throws(CommandFailure) -> (ImportPlan, withUnknown: Bool) {
        let plan = ImportPlan(entries, allowsAny: any, on: workspace.board, facts: workspace.knownFacts)
        let unknown = plan.unknownValues.keys.sorted()
        let withUnknown = new || agreesToNew(unknown)
        let failures = try plan.leftOut(withUnknown: withUnknown).map { problem throws(CommandFailure) in
            let failure = CommandFailure(problem, in: workspace)
            // The known keys are not available.
            guard failure.status != .store else { throw failure }
            return failure
        }
        if let failure = failures.first, !skipInvalid || plan.values(withUnknown: withUnknown).isEmpty {
            failures.forEach { $0.tell() }
            throw CommandFailure(
                failure.status, refusal(plan, failures, hasUnknown: !withUnknown && !unknown.isEmpty))
        }
        if let app = plan.app, app != workspace.settings.app, !workspace.settings.isQuiet {
            StandardError.warn("\(file) has the overrides of \(app); they are imported into \(workspace.settings.app).")
        }
        // Invalid values are imported if any value is allowed.
        for (key, value) in plan.values.sorted(by: { $0.key < $1.key }) {
            _ = try workspace.knownFacts(of: key)?.checked(value, allowsAny: true)
        }
        return (plan, withUnknown)
    }

    /// Confirms on a terminal whether to import unknown keys; elsewhere only `--new` does.
    private func agreesToNew(_ unknown: [String]) -> Bool {
        guard !unknown.isEmpty, !dryRun, Ask.isPossible else { return false }
        let are = unknown.count.counted("key is", "keys are")
        return Ask.agreement("\(are) unknown: \(unknown.joined(separator: ", ")). Import anyway?")
    }

    private func refusal(_ plan: ImportPlan, _ failures: [CommandFailure], hasUnknown: Bool) -> String {
        let count = plan.problems.count + plan.values.count
        var remedies = hasUnknown ? ["--new allows unknown keys"] : []
        if failures.contains(where: { $0.status == .invalidValue }) { remedies.append("--any allows any value") }
        if !plan.values.isEmpty { remedies.append("--skip-invalid imports the rest") }
        let what =
            "\(failures.count) of \(count.counted("entry", "entries")) cannot be imported. Nothing was changed"
        return remedies.isEmpty ? "\(what)." : "\(what); \(remedies.joined(separator: ", "))."
    }
}

extension CommandFailure {
    /// Why an entry of a file is not imported.
    fileprivate init(_ problem: ImportPlan.Problem, in workspace: Workspace) {
        switch problem.reason {
        case .unreadable(let sentence): self.init(.usage, sentence)
        case .unknown: self = workspace.unknownKey(problem.key)
        case .invalid(let sentence): self.init(.invalidValue, sentence)
        }
    }
}
