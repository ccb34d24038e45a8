import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage

/// `flagmenu history`.
struct HistoryCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List what was changed, when and by whom, the newest first.",
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
        guard layer == .override else { return try printTeamHistory(workspace) }
        let records = try Self.records(of: workspace.store, limit: limit)
        if workspace.settings.isJSON {
            JSONOutput.array(records.map(Self.json)).print()
        } else {
            // On a terminal, times are local.
            let isLocal = StandardOutput.isTerminal
            StandardOutput.write(lines: records.flatMap { $0.lines(isLocal: isLocal) })
        }
        if records.isEmpty, limit.map({ $0 > 0 }) ?? true { workspace.settings.printLine("No changes yet.") }
    }

    private func printTeamHistory(_ workspace: Workspace) throws {
        let changes = try workspace.teamHistory(limit: limit.map { max(0, $0) })
        if workspace.settings.isJSON {
            JSONOutput.array(changes.map(\.json)).print()
        } else {
            let isLocal = StandardOutput.isTerminal
            StandardOutput.write(lines: changes.flatMap { $0.lines(isLocal: isLocal) })
        }
        if changes.isEmpty, limit.map({ $0 > 0 }) ?? true { workspace.settings.printLine("No changes yet.") }
    }

    private static func records(of store: OverrideStore, limit: Int?) throws(CommandFailure) -> [HistoryRecord] {
        try CommandFailure.converting(to: .store) { try store.history(limit: limit.map { max(0, $0) }) }
    }

    private static func json(_ record: HistoryRecord) -> JSONOutput {
        .object([
            ("revision", .integer(record.revision)), ("at", .string(record.at.rfc3339)), ("by", .string(record.by)),
            ("action", .string(record.action)), ("undone", .bool(record.isUndone)),
            (
                "changes",
                .array(
                    record.changes.map { change in
                        .object([
                            ("key", .string(change.key)), ("old", FlagJSON.text(change.old?.value)),
                            ("new", FlagJSON.text(change.new?.value)),
                        ])
                    })
            ), ("contexts", .array(record.contextChanges.map(FlagJSON.change))),
        ])
    }
}
