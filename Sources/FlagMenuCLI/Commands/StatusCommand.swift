import ArgumentParser
import FlagModel
import FlagQueries
import FlagRemote
import FlagWorkspace
import Flags

struct StatusCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "status",
        abstract: "Show sources, the age of remote values, and the number of changes; or files and preferences.",
        usage: """
            flagmenu status [<options>]
            flagmenu status --files [<options>]
            flagmenu status (--schema | --project-schema)
            """,
        discussion: """
            EXAMPLES:
              flagmenu status
              flagmenu status --files --json
              flagmenu status --schema > config.schema.json
              flagmenu status --project-schema > flagmenu.schema.json

            Preferences are read from config.json, and are read again when it changes:
              {"theme": "light", "keys": {"list.toggle": ["space", "z"]}}

            A command line option wins over the environment, which wins over the project's flagmenu.json, which wins over \
            config.json.
            """)

    @ArgumentParser.Flag(help: "Show the paths of all files, and every preference and who set it.")
    var files = false

    @ArgumentParser.Flag(help: "Write the JSON Schema of config.json.")
    var schema = false

    @ArgumentParser.Flag(help: "Write the JSON Schema of flagmenu.json.")
    var projectSchema = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        if schema { return ConfigurationSchema.user.print() }
        if projectSchema { return ConfigurationSchema.project().print() }
        guard files else { return try runInWorkspace() }
        let settings = try Settings(options.values)
        let (report, issues) = (FilesReport(settings: settings), settings.configuration.issues)
        options.print(report.json, or: report.lines)
        try StandardOutput.flush()
        if !settings.isJSON { issues.map(\.description).forEach(StandardError.warn) }
        if !issues.isEmpty { throw CommandFailure(.usage, "") }
    }

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        let team = workspace.team.map { team in
            JSONOutput.object([
                ("address", .string(workspace.teamName)), ("values", .integer(team.overrides.count)),
                ("fetchedAt", FlagJSON.text(team.fetchedAt?.rfc3339)),
            ])
        }
        options.print(
            .object(
                [
                    ("app", .string(settings.app)), ("sources", .array(settings.sourceNames.map(JSONOutput.string))),
                    ("sourceStates", .array(workspace.remote.sources.statuses.map(FlagJSON.source))),
                    ("fetchedAt", FlagJSON.text(workspace.fetchedAt?.rfc3339)),
                    ("waiting", .integer(workspace.remote.waiting?.count ?? 0)),
                    ("flags", .integer(workspace.board.catalog.items.count)),
                    ("overrides", .integer(workspace.reading.table.overrides.count)),
                    ("changes", .integer(workspace.reading.table.changeCount)),
                    ("store", .string(workspace.store.path)),
                    ("issues", .array(workspace.warnings(inFull: true).map(JSONOutput.string))),
                ] + (team.map { [("team", $0)] } ?? []) + workspace.reading.table.endAndScenario
                    + (ServedClients(of: workspace).map { [("server", $0.json)] } ?? [])),
            or: Self.lines(of: workspace))
        try workspace.requireOverrides()
    }

    /// The status, one fact per line.
    static func lines(of workspace: Workspace) -> [String] {
        let (settings, now) = (workspace.settings, SourceClock.system.now())
        let table = workspace.reading.table
        let changes = [table.changesByKind, table.nextEndWords(at: now) ?? ""].filter { !$0.isEmpty }
        let age =
            settings.isSample
            ? "built in"
            : settings.hasOnlyCode ? "nothing to fetch" : workspace.fetchedAt?.age(at: now) ?? "nothing yet"
        let waiting =
            workspace.remote.waiting.map { waiting in
                let count = waiting.count
                let subject =
                    count > 0 ? count.counted("fetched value waits", "fetched values wait") : "an update waits"
                return ", \(subject) for flagmenu activate"
            } ?? ""
        var lines = ["app        \(settings.app)"] + sourceLines(of: workspace)
        let categories = workspace.board.catalog.categories.count.counted("category", "categories")
        lines += [
            "fetched    \(age)\(waiting)", "flags      \(workspace.board.catalog.items.count) in \(categories)",
            "changed    \(changes.isEmpty ? "nothing" : changes.joined(separator: ", "))",
        ]
        if let scenario = table.scenarioWords { lines.append("scenario   \(scenario)") }
        if let team = workspace.team {
            let age = team.fetchedAt.map { "read \($0.age(at: now))" } ?? "nothing read yet"
            lines.append("team       \(workspace.teamName), \(team.overrides.count.counted("value")), \(age)")
        }
        lines.append("store      \(workspace.store.path)")
        return lines + (ServedClients(of: workspace)?.lines(now: now) ?? [])
    }

    /// The lines about sources: the name of a single source that has not failed, else a status and an age for each
    /// source.
    private static func sourceLines(of workspace: Workspace) -> [String] {
        let statuses = workspace.remote.sources.statuses
        let hasFailed = statuses.contains { if case .failed = $0.condition { true } else { false } }
        guard statuses.count > 1 || hasFailed else {
            let names = workspace.settings.sourceNames
            return ["source     \(names.isEmpty ? workspace.settings.sourceTitle : names.joined(separator: ", "))"]
        }
        return statuses.flatMap { source in
            ["source     \(source.name)"]
                + source.lines(now: SourceClock.system.now(), activation: "flagmenu activate").map {
                    "             \($0)"
                }
        }
    }
}

extension OverrideTable {
    /// The members about the nearest end, and about the applied scenario, as far as there are any.
    var endAndScenario: [(String, JSONOutput)] {
        let end = nextEnd.map { [("nextEndsAt", JSONOutput.string($0.rfc3339))] } ?? []
        guard let scenario else { return end }
        let members = [("name", JSONOutput.string(scenario.name)), ("deviations", .integer(deviationCount))]
        return end + [("scenario", .object(members))]
    }
}
