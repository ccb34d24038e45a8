import FlagModel
import FlagStorage
import FlagWorkspace

/// Runs COMMAND with one state after the other: with copies of the store, or with the store itself, which is restored.
struct TestedStates {
    private let command: TestedCommand
    /// The changes of the store itself; `nil` if copies are used.
    private let session: LiveSession?
    private let waiting: WaitTime?
    private let workspace: Workspace

    /// - Parameters:
    ///   - name: the command of ours, for the history.
    ///   - isByHand: whether a search by hand, which was started before, goes on.
    ///   - waiting: how long running apps may take to use a state of the store itself; `nil` if nobody waits.
    init(
        _ command: TestedCommand, isLive: Bool, isByHand: Bool = false, of name: String, waiting: WaitTime?,
        in workspace: Workspace
    ) throws(CommandFailure) {
        (self.command, self.waiting, self.workspace) = (command, waiting, workspace)
        session =
            isLive
            ? try CommandFailure.converting(to: .usage) { () throws(StorageError) in
                try LiveSession(workspace.store, of: name, isByHand: isByHand)
            } : nil
    }

    /// Runs COMMAND with a state.
    ///
    /// - Parameter log: what is known so far, for the file from which the store is restored.
    func run(_ table: OverrideTable, log: JSONOutput) throws(CommandFailure) -> TestedCommand.Run {
        guard session != nil else { return try command(with: table) }
        try use(table, log: log)
        return try command(inStore: workspace.settings.storeDirectory)
    }

    /// Makes a state that of the store itself, and waits until running apps use it.
    ///
    /// - Throws: `notTaken` if an app does not.
    func use(_ table: OverrideTable, log: JSONOutput) throws(CommandFailure) {
        guard let session else { return }
        let commit = try CommandFailure.converting(to: .usage) { () throws(StorageError) in
            try session.replace(with: table, log: log)
        }
        try workspace.wait(waiting?.seconds, for: commit.changes.map(\.key), after: commit)
        try EndRequest.check()
    }

    /// Runs `body`, and restores the store, also after an error.
    func restoring<Value>(_ body: () throws(CommandFailure) -> Value) throws(CommandFailure) -> Value {
        let result = Result(catching: body)
        let commit = try CommandFailure.converting(to: .store) { () throws(StorageError) in try session?.restore() }
        if let notice = commit?.notice { StandardError.warn(notice) }
        return try result.get()
    }
}
