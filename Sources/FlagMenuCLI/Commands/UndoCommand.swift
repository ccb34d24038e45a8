import ArgumentParser
import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace

struct UndoCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "undo", abstract: "Undo the last change, no matter who made it.",
        usage: """
            flagmenu undo [--to <revision>] [<options>]
            flagmenu undo --layer team [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu undo && flagmenu history --limit 1
              flagmenu undo --to 12

            With --layer team, the newest change of the team is reverted, also if it is an undo. Flags that were changed \
            since keep their values.
            """)

    @Option(
        help: ArgumentHelp(
            "Undo every change back to this revision; history lists the numbers.", valueName: "revision"))
    var to: Int?

    @OptionGroup var layer: LayerOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    func validate() throws { try layer.reject("--to", if: to != nil) }

    func run(in workspace: Workspace) throws {
        guard !layer.isTeam else { return try undoTeam(workspace) }
        try workspace.moveHistory { () throws(StorageError) in
            guard let to else { return try workspace.store.undo() }
            return try workspace.store.undo(to: to)
        }
    }

    private func undoTeam(_ workspace: Workspace) throws {
        guard let newest = try workspace.teamHistory(limit: 1).first else {
            throw CommandFailure(.noMatch, "The team has no changes yet.")
        }
        guard try workspace.changeTeam(.revert(newest.changes)) else {
            throw CommandFailure(
                .noMatch,
                "Nothing was changed: the flags of the newest change, \(newest.action), have other values now.")
        }
    }
}

struct RedoCommand: LocalCommand {
    static let configuration = CommandConfiguration.command(
        "redo", abstract: "Redo the last undo.", usage: "flagmenu redo [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu redo
            """)

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run(in workspace: Workspace) throws {
        try workspace.moveHistory { () throws(StorageError) in try workspace.store.redo() }
    }
}

extension Workspace {
    /// Performs an undo or redo, and prints its changes.
    fileprivate func moveHistory(_ move: () throws(StorageError) -> StoreCommit) throws(CommandFailure) {
        do throws(StorageError) {
            let commit = try move()
            report(commit)
            if commit.isEmpty, let scenario = commit.record?.scenarioNames {
                settings.printLine("scenario: \(scenario.old ?? "none") -> \(scenario.new ?? "none")")
            }
        } catch {
            try requireOverrides()
            let isAtEnd = error.code == .nothingToUndo || error.code == .nothingToRedo
            throw isAtEnd ? CommandFailure(.noMatch, error.description) : run.failure(of: error)
        }
    }
}
