import DeveloperMenu
import FlagModel
import FlagStorage

extension Workspace {
    /// Applies edits and prints the changes.
    ///
    /// - Throws: why the store could not be written, with the exit code.
    @discardableResult
    func apply(_ edits: [OverrideEdit], label: String? = nil) throws(CommandFailure) -> StoreCommit {
        try telling { store throws(StorageError) in try store.apply(edits, label: label ?? edits.label) }
    }

    /// Applies edits that are decided under the store's lock, and prints the changes.
    @discardableResult
    func apply(
        label: String, deciding decide: ([String: Override]) -> [OverrideEdit]
    ) throws(CommandFailure) -> StoreCommit {
        try telling { store throws(StorageError) in
            try store.apply(label: label) { decide($0.overrides) }
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
            throw failure(of: error)
        }
    }

    /// Why a write failed, with the exit code.
    func failure(of error: StorageError) -> CommandFailure {
        CommandFailure(error.code == .refused ? settings.refusalStatus : .store, error.description)
    }

    /// Prints a commit to standard error, `key: old -> new (was LAYER)`, and as JSON if requested.
    func tell(_ commit: StoreCommit) {
        if let notice = commit.notice { StandardError.warn(notice) }
        let effects = EffectiveChange.all(commit.changes, overrides: commit.table.overrides, on: board)
        if settings.isJSON {
            JSONOutput.object([
                ("revision", .integer(commit.table.revision)), ("changes", .array(effects.map(\.json))),
            ]).print()
        }
        guard !settings.isQuiet else { return }
        for effect in effects { StandardError.say(effect.sentence) }
    }
}

extension EffectiveChange {
    fileprivate var json: JSONOutput {
        .object([
            ("key", .string(new.key)), ("old", FlagJSON.text(old.value)),
            ("oldLayer", FlagJSON.text(old.explanation.winner?.word)), ("new", FlagJSON.text(new.value)),
            ("newLayer", FlagJSON.text(new.explanation.winner?.word)),
        ])
    }
}
