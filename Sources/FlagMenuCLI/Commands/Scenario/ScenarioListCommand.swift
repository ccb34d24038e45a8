import ArgumentParser
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace

struct ScenarioListCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "list", abstract: "List the scenarios, and which one is applied.", usage: "flagmenu scenario list [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario list

            "applied +1" means that one of your changes deviates from the scenario that was applied last.
            """)

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let files = workspace.settings.scenarioFolders.all()
        let rows = files.map { row(of: $0, in: workspace) }
        options.print(.array(rows.map(\.json)), or: rows.map(\.cells).table(columns: LineWidth.ofOutput))
        if files.isEmpty {
            workspace.settings.printLine(
                "There are no scenarios. flagmenu scenario save NAME makes one of your changes.")
        }
        try workspace.requireOverrides()
    }

    private func row(of file: ScenarioFile, in workspace: Workspace) -> (cells: [String], json: JSONOutput) {
        let folder = FilePath.folder(of: FilePath.folder(of: file.path))
        let place = workspace.settings.project?.folder == folder ? "project" : "here"
        let (table, plan) = (workspace.reading.table, try? workspace.plan(file))
        let leftOut = plan.map(workspace.leftOut) ?? []
        let applied = plan.flatMap { table.appliedWords(of: $0.name) }
        var words = [file.error, applied].compactMap { $0 }
        if workspace.missingValues == nil, plan?.hasFileChanged(since: table) == true {
            words.append("the file has changed since")
        }
        if !leftOut.isEmpty { words.append("\(leftOut.count) left out") }
        let count = (try? file.content.get())?.changeCount
        let json = JSONOutput.object([
            ("name", .string(file.name)), ("path", .string(file.path)), ("place", .string(place)),
            ("changes", count.map(JSONOutput.integer) ?? .null), ("applied", .bool(applied != nil)),
            ("notes", .array(words.map(JSONOutput.string))),
        ])
        return ([file.name, count?.counted("change") ?? "", place, words.joined(separator: ", ")], json)
    }
}

struct ScenarioShowCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "show", abstract: "Print the changes of a scenario.", usage: "flagmenu scenario show <name> [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario show checkout

            Prints key, value, note and end of each override, then contexts and conditions; with --json the file.
            """)

    @Argument(help: "The scenario.", completion: Completions.scenarios) var name: String

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let (file, entries) = try workspace.scenario(name)
        guard !options.json else {
            let text = try workspace.settings.scenarioFolders.text(of: file)
            return StandardOutput.write(lines: text.split(separator: "\n").map(String.init))
        }
        let now = SourceClock.system.now()
        let overrides = entries.values.sortedByKey.map { key, value in
            let end = entries.lives[key]?.end(at: ClockReading(now: now))
            return [key, EffectiveChange.shown(value), entries.notes[key] ?? "", end?.words(at: now) ?? ""]
        }
        let parts = (entries.contexts ?? [:]).parts.sorted { $0.key < $1.key }
        let rows = overrides + parts.map { [$0.key.label, $0.key.shown($0.value), "", ""] }
        StandardOutput.write(lines: rows.table(columns: LineWidth.ofOutput))
        try workspace.settings.warn(workspace.leftOut(of: workspace.plan(file)))
    }
}

struct ScenarioDiffCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "diff", abstract: "Compare your changes with a scenario.",
        usage: "flagmenu scenario diff <name> [--exit-code] [<options>]",
        discussion: "EXAMPLE:\n  flagmenu scenario diff checkout --exit-code")

    @Argument(help: "The scenario.", completion: Completions.scenarios) var name: String

    @Flag(help: "Exit with 1 if there are differences.") var exitCode = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let (table, (file, entries)) = (workspace.reading.table, try workspace.scenario(name))
        let old = table.overrides.mapValues(\.value)
        let new = try workspace.plan(file).applied.overrides.merging(entries.values) { checked, _ in checked }
        let contexts = (entries.contexts ?? [:]).renamed(workspace.evaluations.localName)
        let differences =
            new.changedKeys(from: old).sorted().map(\.string).map {
                ValueDifference(key: $0, old: old[$0], new: new[$0])
            }
            + contexts.changes(from: table.contexts).map {
                ValueDifference(key: $0.part.label, old: $0.old, new: $0.new)
            }
        options.printDifferences(differences)
        if exitCode, !differences.isEmpty { throw CommandFailure(.noMatch, "") }
    }
}
