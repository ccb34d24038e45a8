import ArgumentParser
import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags

/// A command on an opened workspace.
protocol WorkspaceCommand: ParsableCommand {
    var options: GlobalOptions { get }

    /// Whether the command needs no request to a source.
    ///
    /// - Parameter workspace: the workspace with cached values, if there are any.
    func isLocal(in workspace: Workspace) -> Bool

    /// Whether the command waits for the newest values of the team. Other commands use the cached ones.
    ///
    /// - Parameter workspace: the workspace with cached values, if there are any.
    func needsTeam(in workspace: Workspace) -> Bool

    /// Whether the command runs even if no source has values. It then exits with their error afterwards.
    var runsWithoutValues: Bool { get }

    /// Whether the command is rejected if nothing says which flags are meant.
    var needsFlags: Bool { get }

    func run(in workspace: Workspace) throws
}

extension WorkspaceCommand {
    func isLocal(in workspace: Workspace) -> Bool { false }

    func needsTeam(in workspace: Workspace) -> Bool { false }

    var runsWithoutValues: Bool { false }

    var needsFlags: Bool { true }

    func run() throws { try runInWorkspace() }

    /// Opens the workspace, runs the command in it, and caches what was read.
    func runInWorkspace() throws {
        let settings = try Settings(options.values)
        if needsFlags { try settings.requireFlags() }
        var workspace = try Workspace.open(settings, sendsRequests: false)
        var failure: CommandFailure?
        if !isLocal(in: workspace) {
            try settings.requireTrust()
            workspace = workspace.fetchingMissingValues()
            failure = workspace.missingValues
        }
        if needsTeam(in: workspace), settings.team != nil {
            try settings.requireTrust()
            workspace = workspace.fetchingTeam()
        }
        if let failure, !runsWithoutValues {
            // The next run needs the backoff of services. The error is that there are no values, and not that this
            // could not be cached.
            workspace.run.flags.remote.save()
            throw failure
        }
        settings.warn(workspace.warnings(withSources: failure == nil))
        do {
            try run(in: workspace)
        } catch let error as CommandFailure where error.status == .noMatch {
            // Without remote values it is not known whether the key exists.
            throw failure ?? error
        }
        try StandardOutput.flush()
        workspace.saveCache()
        if let failure { throw failure }
    }
}

/// A command that never needs a request to a source.
protocol LocalCommand: WorkspaceCommand {}

extension LocalCommand {
    func isLocal(in workspace: Workspace) -> Bool { true }
}
