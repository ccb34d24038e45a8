import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct HistoryCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "history", abstract: "List what was changed, when and by whom, the newest first.",
        usage: "flagmenu history [--limit <count>] [--layer team] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu history --limit 5
              flagmenu history --json | jq -r '.[].action'

            Overrides that have ended by themselves are removed by the next change, as a change of their own by "time". With \
            --json, a change has note, end and scenario, each with old and new, if it had them before or has them after.
            """)

    @Option(help: ArgumentHelp("At most this many entries.", valueName: "count"))
    var limit: Int?

    @OptionGroup var layer: LayerOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let limit = limit.map { max(0, $0) }
        // On a terminal, times are local.
        let isLocal = StandardOutput.isTerminal
        let entries: [(lines: [String], json: JSONOutput)] =
            if layer.isTeam {
                try workspace.teamHistory(limit: limit).map { ($0.lines(isLocal: isLocal), $0.json) }
            } else {
                try workspace.store.history(limit: limit).map { ($0.lines(isLocal: isLocal), Self.json($0)) }
            }
        options.print(.array(entries.map(\.json)), or: entries.flatMap(\.lines))
        if entries.isEmpty, limit != 0 { workspace.settings.printLine("No changes yet.") }
    }

    static func json(_ record: HistoryRecord) -> JSONOutput {
        let changes = record.changes.map { change in
            JSONOutput.object(
                [
                    ("key", .string(change.key)), ("old", FlagJSON.text(change.old?.value)),
                    ("new", FlagJSON.text(change.new?.value)),
                ] + member("note", change.old?.note, change.new?.note)
                    + member("end", change.old?.end?.jsonWord, change.new?.end?.jsonWord))
        }
        return .object(
            [
                ("revision", .integer(record.revision)), ("at", .string(record.at.rfc3339)), ("by", .string(record.by)),
                ("action", .string(record.action)), ("undone", .bool(record.isUndone)),
                ("changes", .array(changes)), ("contexts", .array(record.contextChanges.map(FlagJSON.change))),
            ] + member("scenario", record.scenarioNames?.old, record.scenarioNames?.new))
    }

    /// A member with the text before and after; none if there is neither.
    private static func member(_ name: String, _ old: String?, _ new: String?) -> [(String, JSONOutput)] {
        guard old != nil || new != nil else { return [] }
        return [(name, .object([("old", FlagJSON.text(old)), ("new", FlagJSON.text(new))]))]
    }
}

extension OverrideEnd {
    fileprivate var jsonWord: String { time?.rfc3339 ?? "restart" }
}
