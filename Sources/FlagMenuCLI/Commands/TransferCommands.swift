import ArgumentParser
import FlagFormats
import FlagModel
import FlagQueries
import FlagRemote
import FlagSharing
import FlagStorage
import FlagWorkspace

struct ExportCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "export",
        abstract: "Write your changes as JSON, with app, source and date, or the catalog of the code.",
        usage: "flagmenu export [<file>] [--catalog] [--force] [--dry-run] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu export overrides.json
              flagmenu export - | ssh device flagmenu import -
              flagmenu export --catalog shop.template.json

            The members are app, source, exportedAt, overrides, an object of keys and values, contexts, with your changes \
            of contexts and conditions for each source, and notes and ends of overrides by key. An end is the time that \
            was left, such as 2h, or restart. import reads overrides, contexts, notes and ends.

            --catalog writes a Firebase template instead: the flags that the code of running apps declares, with their \
            defaults, and config_categories with their titles, groups, types and options.
            """)

    @Argument(help: "The file; - or nothing is standard output.", completion: .file())
    var file: String = "-"

    @Flag(help: "Write the flags that running apps declare as a Firebase template with config_categories.")
    var catalog = false

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Only show what would be written.")
    var dryRun = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    private var targetName: String { file == "-" ? "standard output" : file }

    func run(in workspace: Workspace) throws {
        let target = workspace.exportTarget(file)
        if file != "-", try Self.exists(target), !force {
            throw CommandFailure(
                .usage, "\(file) exists; nothing was written. --force replaces it, or choose another name.")
        }
        let (text, count) = catalog ? try declaredCatalog(in: workspace) : try overrides(in: workspace)
        guard !dryRun else { return StandardError.printLine("\(count) would be written to \(targetName).") }
        guard file != "-" else { return StandardOutput.write(text) }
        try target.write(text, for: catalog ? .everyone : .user)
        workspace.settings.printLine("\(count) written to \(targetName).")
    }

    private func overrides(in workspace: Workspace) throws -> (text: String, count: String) {
        let settings = workspace.settings
        let text = try workspace.reading.exported(
            app: settings.app, source: settings.sourceTitle, evaluations: workspace.evaluations,
            at: SourceClock.system.now())
        if workspace.reading.table.overrides[""] != nil {
            StandardError.warn("The override of the empty key is left out, as it cannot be imported.")
        }
        workspace.warnOfSecrets(in: "export")
        return (text, workspace.reading.exportedCount)
    }

    private func declaredCatalog(in workspace: Workspace) throws(CommandFailure) -> (text: String, count: String) {
        let declared = workspace.declaredFlags
        workspace.settings.warn(declared.warnings)
        guard !declared.flags.isEmpty else {
            let app = workspace.settings.app
            throw CommandFailure(
                .noMatch,
                "No app of \(app) has declared flags, so nothing was written. Start the app; its FlagStore names the "
                    + "keys with declares.")
        }
        let catalog = DeclaredCatalog(of: declared.flags)
        workspace.settings.warn(catalog.warnings)
        return (catalog.text, declared.flags.count.counted("flag"))
    }

    /// Whether the file exists.
    ///
    /// - Throws: an error if the file must not be replaced, or its folder is missing.
    static func exists(_ target: ExportTarget) throws(CommandFailure) -> Bool {
        do throws(StorageError) {
            return try target.isTaken()
        } catch {
            throw CommandFailure(error.code == .notAFile ? .store : .usage, error.description)
        }
    }
}

extension Workspace {
    /// A file to write, by its path on the command line.
    func exportTarget(_ path: String) -> ExportTarget {
        ExportTarget(
            FilePath.resolve(path, in: settings.environment.workingDirectory), protecting: run.ownFiles)
    }
}

struct ImportCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "import", abstract: "Add changes from a file or a shared state, or replace all with them.",
        usage: "flagmenu import <file> [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu import overrides.json --dry-run
              flagmenu import - --replace < overrides.json
              flagmenu import bug-report.md

            The file is one that export wrote, an object of keys and values, an overrides.json of a store, or any text \
            with a string of share, such as a bug report or a quoted mail; on a terminal, its changes are shown first. If an \
            entry is invalid, every error is printed and nothing is imported; --skip-invalid imports the others. On a \
            terminal, import asks about unknown keys. --for, --until and --until-restart win over the ends in the file.
            """)

    @Argument(help: "The file; - is standard input.", completion: .file())
    var file: String

    @Flag(help: "Reset changes that are not in the file.")
    var replace = false

    @Flag(help: "Only show what would change.")
    var dryRun = false

    @Flag(help: "Allow any values, even invalid ones.")
    var any = false

    @Flag(help: "Allow keys that are not in the catalog or remote.")
    var new = false

    @Flag(help: "Leave out entries that cannot be imported.")
    var skipInvalid = false

    @Option(
        help: ArgumentHelp("Of several shared states in a text, take this one, not the newest.", valueName: "number"))
    var state: Int?

    @Option(help: ArgumentHelp("Save the changes as a scenario, and make none.", valueName: "name"))
    var saveScenario: String?

    @OptionGroup var ends: EndOptions

    @OptionGroup var waiting: WaitOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    /// With `--new` every key may be imported, so that the catalog is not needed.
    func isLocal(in workspace: Workspace) -> Bool { new }

    func run(in workspace: Workspace) throws {
        let here = workspace.settings.environment.workingDirectory
        guard file != "-" || !options.source.contains("-") else {
            throw CommandFailure(
                .usage, "Standard input cannot be both the source and the import. Nothing was changed.")
        }
        let input = try file == "-" ? StandardInput.readAll() : []
        let path = FilePath.resolve(file, in: here)
        let entries: ImportEntries
        var isShared = false
        do throws(InvalidText) {
            entries =
                try file == "-"
                ? ImportedValues.entries(of: input, from: "standard input", at: .system)
                : ImportedValues.entries(ofFile: path, called: file)
        } catch {
            let bytes = file == "-" ? input : (try? DurableFile.read(path)) ?? []
            guard let shared = try sharedEntries(in: String(decoding: bytes, as: UTF8.self)) else {
                throw CommandFailure(.usage, error.sentence)
            }
            (entries, isShared) = (shared, true)
        }
        guard state == nil || isShared else {
            throw CommandFailure(.usage, "\(file) has no shared state, so --state means nothing. Nothing was changed.")
        }
        if let saveScenario { return try save(entries, as: saveScenario, in: workspace) }
        let (imported, withUnknown) = try plan(of: entries, in: workspace)
        let plan = BulkPlan.importing(
            imported, from: file, withUnknown: withUnknown, over: workspace.reading.table, replacing: replace,
            into: workspace.settings.app, facts: workspace.factsOfAny)
        // The last one wins over the end in the file.
        let edits = try plan.edits + plan.keysSet.flatMap(ends.edits(in: workspace))
        let commit = try BulkChange(
            plan: plan, workspace: workspace, name: "import", edits: edits, label: "import", allowsAny: any
        ).run(confirms: isShared && TerminalPrompt.isPossible, isDryRun: dryRun)
        guard let commit else { return }
        if !commit.isEmpty, !workspace.settings.isQuiet {
            let count = StoreReading.counted(commit.changes.count, commit.contextChanges.count)
            StandardError.printLine("\(count) changed.")
        }
        try workspace.wait(waiting.time?.seconds, for: plan.keysSet + commit.changes.map(\.key), after: commit)
    }

    /// Saves the entries of a file as a scenario, also those that do not fit the flags here.
    ///
    /// - Throws: an error if some cannot be read, unless they are to be left out.
    private func save(_ entries: ImportEntries, as name: String, in workspace: Workspace) throws {
        let unreadable = entries.issues.compactMap { issue -> String? in
            if case .unreadable(let sentence) = issue.reason { sentence } else { nil }
        }
        unreadable.forEach(StandardError.warn)
        guard unreadable.isEmpty || skipInvalid else {
            throw CommandFailure(
                .usage,
                "\(unreadable.count.counted("entry", "entries")) cannot be read. Nothing was saved; --skip-invalid "
                    + "saves the rest.")
        }
        let count = entries.changeCount.counted("change")
        guard !dryRun else { return StandardError.printLine("\(count) would be saved as \(name).") }
        try workspace.settings.requireOwner()
        let text = entries.portable(workspace.evaluations).exported(
            source: FilePath.name(of: file), at: SourceClock.system.now())
        let path = try workspace.settings.scenarioFolders.save(text, as: name, isReplacing: false)
        workspace.settings.printLine("Saved \(count) as \(name). (\(path))")
    }

    /// The changes of the newest shared state in a text, or of the one that was named; `nil` if it has none.
    ///
    /// - Throws: an error if none can be read.
    private func sharedEntries(in text: String) throws(CommandFailure) -> ImportEntries? {
        let (states, errors) = SharedState.found(in: text)
        let now = SourceClock.system.now()
        let number = state ?? states.count
        guard states.indices.contains(number - 1) else {
            let range = states.isEmpty ? nil : "--state must be from 1 to \(states.count)."
            guard let sentence = errors.first?.sentence ?? range else { return nil }
            throw CommandFailure(.usage, "\(file): \(sentence) Nothing was changed.")
        }
        if !options.values.quiet {
            errors.forEach { StandardError.warn("\(file): \($0.sentence)") }
            for (index, state) in states.enumerated() {
                StandardError.printLine("\(index + 1 == number ? ">" : " ") \(index + 1). \(state.summary(at: now))")
            }
        }
        return states[number - 1].entries
    }

    /// The plan for the entries of a file, and whether to import entries with unknown keys.
    ///
    /// - Throws: an error if nothing is imported, after the error of each invalid entry was printed.
    private func plan(
        of entries: ImportEntries, in workspace: Workspace
    ) throws -> (ImportPlan, withUnknown: Bool) {
        let plan = ImportPlan(
            entries, allowsAny: any, on: workspace.board,
            evaluations: workspace.evaluations, facts: workspace.knownFacts)
        let unknownKeys = plan.unknownValues.sortedByKey.map(\.key)
        var withUnknown = new
        if !new, !unknownKeys.isEmpty, !dryRun, TerminalPrompt.isPossible {
            let count = unknownKeys.count.counted("key is", "keys are")
            withUnknown = TerminalPrompt.agreement(
                "\(count) unknown: \(unknownKeys.joined(separator: ", ")). Import anyway?")
        }
        let failures = plan.leftOut(withUnknown: withUnknown).map { issue in
            switch issue.reason {
            case .unreadable(let sentence): CommandFailure(.usage, sentence)
            case .unknown: workspace.unknownKey(issue.key)
            case .unknownSource(let sentence):
                CommandFailure(.noMatch, "\(JSONOutput.quoted(issue.key, limit: 80)): \(sentence)")
            case .invalid(let sentence): CommandFailure(.invalidValue, sentence)
            }
        }
        // The status `store` means that overrides cannot be read, so it is not known which keys exist.
        if let failure = failures.first(where: { $0.status == .store }) { throw failure }
        let isEmpty = plan.entries.changeCount == 0 && plan.values(withUnknown: withUnknown).isEmpty
        if let failure = failures.first, !skipInvalid || isEmpty {
            failures.forEach { $0.report() }
            throw CommandFailure(
                failure.status, rejection(plan, failures, hasUnknown: !withUnknown && !unknownKeys.isEmpty))
        }
        if let app = plan.entries.app, app != workspace.settings.app, !workspace.settings.isQuiet {
            StandardError.warn("\(file) has the overrides of \(app); they are imported into \(workspace.settings.app).")
        }
        // With `--any`, invalid values are imported; this prints their warnings.
        for (key, value) in plan.entries.values.sortedByKey {
            _ = try workspace.knownFacts(of: key)?.checked(value, allowsAny: true)
        }
        return (plan, withUnknown)
    }

    /// The sentence that nothing is imported, with the options that would allow the import.
    private func rejection(_ plan: ImportPlan, _ failures: [CommandFailure], hasUnknown: Bool) -> String {
        let count = plan.entries.issues.count + plan.entries.changeCount
        var remedies = hasUnknown ? ["--new allows unknown keys"] : []
        if failures.contains(where: { $0.status == .invalidValue }) { remedies.append("--any allows any value") }
        if plan.entries.changeCount > 0 { remedies.append("--skip-invalid imports the rest") }
        let sentence =
            "\(failures.count) of \(count.counted("entry", "entries")) cannot be imported. Nothing was changed"
        return remedies.isEmpty ? "\(sentence)." : "\(sentence); \(remedies.joined(separator: ", "))."
    }
}
