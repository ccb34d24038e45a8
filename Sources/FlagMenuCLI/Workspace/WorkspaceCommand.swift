import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// A command on an opened workspace.
protocol WorkspaceCommand: ParsableCommand {
    var options: GlobalOptions { get }

    /// Runs the command.
    func run(in workspace: Workspace) throws
}

extension WorkspaceCommand {
    func run() throws {
        let settings = try Settings(options)
        let workspace = try Workspace.open(settings)
        if !settings.isQuiet { workspace.warnings.forEach(StandardError.warn) }
        try run(in: workspace)
        try StandardOutput.flush()
        workspace.saveCache()
    }
}
