import FlagModel
import FlagStorage
import FlagWorkspace

/// Runs COMMAND with one state after the other: with copies of the store, or with the store itself, which is restored.
struct TestedStates {
    private let run: TestedCommand
    /// The changes of the store itself; `nil` if copies are used.
    private let session: LiveSession?
    private let waiting: WaitTime
    private let workspace: Workspace

    /// - Parameters:
    ///   - command: the command of ours, for the history.
    ///   - waiting: how long running apps may take to use a state of the store itself.
    init(
        _ run: TestedCommand, isLive: Bool, of command: String, waiting: WaitTime, in workspace: Workspace
    ) throws(CommandFailure) {
        (self.run, self.waiting, self.workspace) = (run, waiting, workspace)
        session =
            isLive
            ? try Self.converting { () throws(StorageError) in try LiveSession(workspace.store, of: command) } : nil
    }

    /// Prepares a state.
    ///
    /// - Parameter log: what is known so far, for the file from which the store is restored.
    /// - Returns: runs COMMAND with the state.
    func prepare(
        _ table: OverrideTable, log: JSONOutput
    ) throws(CommandFailure) -> () throws(CommandFailure) -> (result: CommandResult, output: [UInt8]) {
        guard let session else { return { () throws(CommandFailure) in try run(with: table) } }
        let commit = try Self.converting { () throws(StorageError) in try session.replace(with: table, log: log) }
        do throws(CommandFailure) {
            try workspace.wait(waiting.seconds, for: commit.changes.map(\.key), after: commit)
        } catch {
            throw CommandFailure(.usage, error.sentence)
        }
        try EndRequest.check()
        return { () throws(CommandFailure) in try run(inStore: workspace.settings.storeDirectory) }
    }

    /// Runs `body`, and restores the store, also after an error.
    func restoring<Value>(_ body: () throws(CommandFailure) -> Value) throws(CommandFailure) -> Value {
        let result = Result(catching: body)
        let notices = try Self.converting { () throws(StorageError) in try session?.restore() ?? [] }
        notices.forEach(StandardError.warn)
        return try result.get()
    }

    private static func converting<Value>(_ body: () throws(StorageError) -> Value) throws(CommandFailure) -> Value {
        do throws(StorageError) {
            return try body()
        } catch {
            throw CommandFailure(error.code == .refused ? .usage : .store, error.description)
        }
    }
}
