import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// A command on an opened workspace.
protocol WorkspaceCommand: ParsableCommand {
    var options: GlobalOptions { get }

    /// Does the work.
    func run(in workspace: Workspace) throws
}

extension WorkspaceCommand {
    func run() throws {
        let settings = try Settings(options)
        let workspace = try Workspace.open(settings)
        if !settings.isQuiet { workspace.remarks.forEach(Words.warn) }
        try run(in: workspace)
        try StandardOutput.flush()
        workspace.remote.keep()
    }
}

/// Words for people, on standard error.
enum Words {
    static func say(_ text: String) {
        StandardError.write(text.asTerminalText + "\n")
    }

    static func warn(_ text: String) {
        StandardError.write("flagmenu: \(text.asTerminalText)\n")
    }
}

extension Workspace {
    /// Makes edits and tells what changed.
    ///
    /// - Throws: why the store could not be written, with the number for it.
    @discardableResult
    func apply(_ edits: [OverrideEdit], label: String? = nil) throws(CommandFailure) -> StoreCommit {
        do throws(StorageError) {
            let commit = try store.apply(edits, label: label)
            tell(commit)
            return commit
        } catch {
            throw CommandFailure(.store, error.description)
        }
    }

    /// Says on standard error what a commit did: `key: old -> new (was LAYER)`.
    func tell(_ commit: StoreCommit) {
        if let notice = commit.notice { Words.warn(notice) }
        guard !settings.isQuiet else { return }
        var after = board
        after.replaceOverrides(commit.table.overrides)
        for change in commit.changes {
            let old = board.place(of: FlagText(change.key)).map(board.facts(at:)) ?? board.facts(ofUnlisted: change.key)
            let new = after.place(of: FlagText(change.key)).map(after.facts(at:)) ?? after.facts(ofUnlisted: change.key)
            let was = old.explanation.winner.map { "was \($0.word)" } ?? "was not set"
            let note = new.explanation.winner == .launch ? "; hidden by this run's launch value" : ""
            Words.say("\(change.key): \(Self.shown(old.value)) -> \(Self.shown(new.value)) (\(was)\(note))")
        }
    }

    /// A value in a sentence: nothing is told apart from empty.
    static func shown(_ value: String?) -> String {
        guard let value else { return "(not set)" }
        return value.isEmpty ? "\"\"" : value
    }
}
