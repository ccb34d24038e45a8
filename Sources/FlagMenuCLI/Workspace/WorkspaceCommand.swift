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
        try telling { store throws(StorageError) in try store.apply(edits, label: label) }
    }

    /// Makes the edits that are wanted of the overrides as they are under the store's lock, and tells what changed.
    @discardableResult
    func apply(deciding decide: ([String: Override]) -> [OverrideEdit]) throws(CommandFailure) -> StoreCommit {
        try telling { store throws(StorageError) in
            try store.apply { decide($0.overrides) }
        }
    }

    private func telling(
        _ write: (OverrideStore) throws(StorageError) -> StoreCommit
    ) throws(CommandFailure) -> StoreCommit {
        do throws(StorageError) {
            let commit = try write(store)
            tell(commit)
            return commit
        } catch {
            throw CommandFailure(.store, error.description)
        }
    }

    /// Says on standard error what a commit did, `key: old -> new (was LAYER)`, and writes it as JSON where asked to.
    func tell(_ commit: StoreCommit) {
        if let notice = commit.notice { Words.warn(notice) }
        let (before, after) = boards(of: commit)
        let effects = commit.changes.map { change in
            EffectiveChange(old: before.facts(ofKey: change.key), new: after.facts(ofKey: change.key))
        }
        if settings.isJSON {
            JSONOutput.object([
                ("revision", .integer(commit.table.revision)), ("changes", .array(effects.map(\.json))),
            ]).print()
        }
        guard !settings.isQuiet else { return }
        for effect in effects { Words.say(effect.sentence) }
    }

    /// The board before and after a commit. Somebody else may have changed a flag since it was read.
    private func boards(of commit: StoreCommit) -> (before: FlagBoard, after: FlagBoard) {
        var (before, after) = (board, board)
        after.replaceOverrides(commit.table.overrides)
        let isAsRead = commit.changes.allSatisfy { $0.old == board.values.overrides[$0.key] }
        guard !isAsRead else { return (before, after) }
        var overrides = commit.table.overrides
        for change in commit.changes { overrides[change.key] = change.old }
        before.replaceOverrides(overrides)
        return (before, after)
    }

    /// A value in a sentence: nothing is told apart from empty.
    static func shown(_ value: String?) -> String {
        guard let value else { return "(not set)" }
        return value.isEmpty ? "\"\"" : value
    }
}

/// What a changed override did to the value that apps use.
private struct EffectiveChange {
    let old: FlagFacts
    let new: FlagFacts

    var sentence: String {
        let was = old.explanation.winner.map { "was \($0.word)" } ?? "was not set"
        let note = new.explanation.winner == .launch ? "; hidden by this run's launch value" : ""
        return "\(new.key): \(Workspace.shown(old.value)) -> \(Workspace.shown(new.value)) (\(was)\(note))"
    }

    var json: JSONOutput {
        .object([
            ("key", .string(new.key)), ("old", FlagJSON.text(old.value)),
            ("oldLayer", FlagJSON.text(old.explanation.winner?.word)), ("new", FlagJSON.text(new.value)),
            ("newLayer", FlagJSON.text(new.explanation.winner?.word)),
        ])
    }
}

extension FlagBoard {
    /// Everything about a key, listed or not.
    func facts(ofKey key: String) -> FlagFacts {
        place(of: FlagText(key)).map(facts(at:)) ?? facts(ofUnlisted: key)
    }
}
