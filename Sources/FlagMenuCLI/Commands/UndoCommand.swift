import ArgumentParser
import FlagStorage

/// `flagmenu undo`.
struct UndoCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "undo", abstract: "Undo the last change, no matter who made it.",
        usage: "flagmenu undo [--to <revision>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu undo && flagmenu history --limit 1
              flagmenu undo --to 12
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Undo every change back to this revision; history lists the numbers.", valueName: "revision"))
    var to: Int?

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        try workspace.moveHistory { () throws(StorageError) in
            guard let to else { return try workspace.store.undo() }
            return try workspace.store.undo(to: to)
        }
    }
}

/// `flagmenu redo`.
struct RedoCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "redo", abstract: "Redo the last undo.", usage: "flagmenu redo [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu redo
            """)

    @OptionGroup var options: GlobalOptions

    func isLocal(in workspace: Workspace) -> Bool { true }

    func run(in workspace: Workspace) throws {
        try workspace.moveHistory { () throws(StorageError) in try workspace.store.redo() }
    }
}

extension Workspace {
    /// Performs an undo or redo, and prints its changes.
    fileprivate func moveHistory(_ move: () throws(StorageError) -> StoreCommit) throws(CommandFailure) {
        do throws(StorageError) {
            report(try move())
        } catch {
            try requireOverrides()
            let isAtEnd = error.code == .nothingToUndo || error.code == .nothingToRedo
            throw isAtEnd ? CommandFailure(.noMatch, error.description) : failure(of: error)
        }
    }
}
