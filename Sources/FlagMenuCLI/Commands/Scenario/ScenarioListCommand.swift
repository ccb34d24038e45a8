import ArgumentParser
import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace

struct ScenarioListCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "list", abstract: "List the scenarios, and which one is applied.", usage: "flagmenu scenario list [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario list

            "applied +1" means that one of your changes deviates from the scenario that was applied last.
            """)

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        let entries = workspace.settings.scenarioFolders.all().map { ScenarioEntry($0, in: workspace) }
        options.print(.array(entries.map(\.json)), or: entries.map(\.cells).table(columns: LineWidth.ofOutput))
        if entries.isEmpty {
            workspace.settings.printLine(
                "There are no scenarios. flagmenu scenario save NAME makes one of your changes.")
        }
        try workspace.requireOverrides()
    }
}

/// A scenario in the list.
private struct ScenarioEntry {
    private let file: ScenarioFile
    private let scenario: Result<CheckedScenario, InvalidText>
    private let isOfProject: Bool
    private let deviationCount: Int

    init(_ file: ScenarioFile, in workspace: Workspace) {
        self.file = file
        scenario = Result { () throws(InvalidText) in try CheckedScenario(file, in: workspace) }
        let folder = FilePath.folder(of: FilePath.folder(of: file.path))
        isOfProject = workspace.settings.project?.folder == folder
        deviationCount = workspace.reading.table.deviationCount
    }

    var cells: [String] {
        let (count, words): (String, [String?])
        switch scenario {
        case .success(let scenario):
            let leftOut = scenario.leftOut.count
            count = scenario.count.counted("change")
            words = [
                scenario.isApplied ? "applied" + (deviationCount == 0 ? "" : " +\(deviationCount)") : nil,
                scenario.hasChanged ? "the file has changed since" : nil,
                leftOut == 0 ? nil : "\(leftOut) left out",
            ]
        case .failure(let error): (count, words) = ("", [error.sentence])
        }
        return [file.name, count, isOfProject ? "project" : "here", words.compactMap { $0 }.joined(separator: ", ")]
    }

    var json: JSONOutput {
        let place: [(String, JSONOutput?)] = [
            ("name", .string(file.name)), ("path", .string(file.path)),
            ("place", .string(isOfProject ? "project" : "here")),
        ]
        switch scenario {
        case .failure(let error): return .object(present: place + [("error", .string(error.sentence))])
        case .success(let scenario):
            return .object(
                present: place + [
                    ("changes", .integer(scenario.count)), ("applied", .bool(scenario.isApplied)),
                    ("deviations", scenario.isApplied ? .integer(deviationCount) : nil),
                    ("fileChanged", scenario.isApplied ? .bool(scenario.hasChanged) : nil),
                    ("leftOut", .array(scenario.leftOut.map(\.json))),
                ])
        }
    }
}

struct ScenarioShowCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "show", abstract: "Print the changes of a scenario.", usage: "flagmenu scenario show <name> [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario show checkout

            Prints key, value, note and end of each override, then contexts and conditions; with --json the file.
            """)

    @Argument(help: "The scenario.", completion: Completions.scenarios)
    var name: String

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        let scenario = try workspace.scenario(name)
        guard !options.json else {
            let text = String(decoding: try DurableFile.read(scenario.file.path) ?? [], as: UTF8.self)
            return StandardOutput.write(lines: text.split(separator: "\n").map(String.init))
        }
        let now = SourceClock.system.now()
        let overrides = scenario.entries.values.sortedByKey.map { key, value in
            let end = scenario.entries.lives[key]?.end(at: ClockReading(now: now))
            return [
                key, EffectiveChange.shown(value), scenario.entries.notes[key] ?? "", end?.words(at: now) ?? "",
            ]
        }
        let parts = scenario.contexts.parts.sorted { $0.key < $1.key }
        let rows = overrides + parts.map { [$0.key.label, $0.key.shown($0.value), "", ""] }
        StandardOutput.write(lines: rows.table(columns: LineWidth.ofOutput))
        if !options.quiet { scenario.leftOut.forEach { StandardError.warn($0.sentence) } }
    }
}

struct ScenarioDiffCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "diff", abstract: "Compare your changes with a scenario.",
        usage: "flagmenu scenario diff <name> [--exit-code] [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu scenario diff checkout --exit-code

            Prints the changes from what you have now to what the scenario has, as flagmenu diff does.
            """)

    @Argument(help: "The scenario.", completion: Completions.scenarios)
    var name: String

    @Flag(help: "Exit with 1 if there are differences.")
    var exitCode = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let differences = try workspace.scenario(name).differences
        options.printDifferences(differences)
        if exitCode, !differences.isEmpty { throw CommandFailure(.noMatch, "") }
    }
}

extension BulkPlan.Exception {
    /// What is left out, and why.
    var sentence: String { "\(key) is left out. \(reason)" }

    var json: JSONOutput { .object([("key", .string(key)), ("reason", .string(reason))]) }
}
