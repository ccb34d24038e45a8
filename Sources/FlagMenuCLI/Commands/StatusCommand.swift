import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// `flagmenu status`.
struct StatusCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell the source, the age of remote values, and how many overrides are in force.",
        usage: "flagmenu status [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu status
              flagmenu status --json
            """)

    @OptionGroup var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        let settings = workspace.settings
        if settings.isJSON {
            JSONOutput.object([
                ("app", .string(settings.app)), ("sources", .array(settings.sourceNames.map(JSONOutput.string))),
                ("fetchedAt", FlagJSON.text(workspace.remote.fetchedAt?.rfc3339)),
                ("waiting", .integer(workspace.remote.waitingCount ?? 0)),
                ("flags", .integer(workspace.board.catalog.items.count)),
                ("overrides", .integer(workspace.reading.table.overrides.count)),
                ("store", .string(workspace.store.path)),
                ("problems", .array(workspace.remarks.map(JSONOutput.string))),
            ]).print()
            return
        }
        StandardOutput.write(lines: Self.lines(of: workspace))
    }

    /// What is in force, one fact a line.
    static func lines(of workspace: Workspace) -> [String] {
        let settings = workspace.settings
        let count = workspace.reading.table.overrides.count
        let age = workspace.remote.fetchedAt.map { $0.age(at: SystemClock.now()) } ?? "built in"
        let waiting =
            workspace.remote.waitingCount.map {
                ", \($0.counted("fetched value waits", "fetched values wait")) for flagmenu activate"
            } ?? ""
        let changed = workspace.remote.evaluations.filter(\.isChanged)
        let contexts = changed.isEmpty ? [] : ["context    yours for \(changed.map(\.source).joined(separator: ", "))"]
        return [
            "app        \(settings.app)",
            "source     \(settings.sourceNames.joined(separator: ", "))",
            "fetched    \(age)\(waiting)",
            "flags      \(workspace.board.catalog.items.count) in \(workspace.board.catalog.categories.count.counted("category", "categories"))",
            "overrides  \(count == 0 ? "none" : String(count))",
        ] + contexts + ["store      \(workspace.store.path)"]
    }
}
