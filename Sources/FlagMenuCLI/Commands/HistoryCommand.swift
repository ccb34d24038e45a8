import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct HistoryCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "history", abstract: "List what was changed, when and by whom, the newest first.",
        usage: "flagmenu history [--limit <count>] [--layer team] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu history --limit 5
              flagmenu history --json | jq -r '.[].action'
            """)

    @Option(help: ArgumentHelp("At most this many entries.", valueName: "count"))
    var limit: Int?

    @Option(help: "override (this machine, the default) or team (everyone who uses the team).")
    var layer = LayerChoice.override

    @OptionGroup(title: "General options") var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        let limit = limit.map { max(0, $0) }
        // On a terminal, times are local.
        let isLocal = StandardOutput.isTerminal
        let entries: [(lines: [String], json: JSONOutput)] =
            if layer == .team {
                try workspace.teamHistory(limit: limit).map { ($0.lines(isLocal: isLocal), $0.json) }
            } else {
                try workspace.store.history(limit: limit).map { ($0.lines(isLocal: isLocal), Self.json($0)) }
            }
        options.print(.array(entries.map(\.json)), or: entries.flatMap(\.lines))
        if entries.isEmpty, limit != 0 { workspace.settings.printLine("No changes yet.") }
    }

    private static func json(_ record: HistoryRecord) -> JSONOutput {
        let changes = record.changes.map { change in
            JSONOutput.object([
                ("key", .string(change.key)), ("old", FlagJSON.text(change.old?.value)),
                ("new", FlagJSON.text(change.new?.value)),
            ])
        }
        return .object([
            ("revision", .integer(record.revision)), ("at", .string(record.at.rfc3339)), ("by", .string(record.by)),
            ("action", .string(record.action)), ("undone", .bool(record.isUndone)),
            ("changes", .array(changes)), ("contexts", .array(record.contextChanges.map(FlagJSON.change))),
        ])
    }
}
