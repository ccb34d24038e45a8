package import FlagModel
import FlagQueries
package import FlagStorage

extension Workspace {
    /// Applies edits and prints the changes.
    ///
    /// - Parameter allowsAny: whether to set values that are not cases of an enumeration in a running app.
    /// - Throws: an error if the store cannot be written, or if a value is not such a case.
    @discardableResult
    package func apply(
        _ edits: [OverrideEdit], label: String? = nil, allowsAny: Bool = false
    ) throws(CommandFailure) -> StoreCommit {
        if !allowsAny { try requireCases(for: edits) }
        return try reporting { store throws(StorageError) in
            try store.apply(edits, label: label ?? edits.label)
        }
    }

    /// Applies the edits that `decide` returns for the current changes, under the store's lock, and prints what changed.
    @discardableResult
    package func apply(
        label: String, deciding decide: (OverrideTable) -> [OverrideEdit]
    ) throws(CommandFailure) -> StoreCommit {
        try reporting { store throws(StorageError) in
            try store.apply(label: label, deciding: decide)
        }
    }

    /// Performs a write and prints its changes.
    private func reporting(
        _ write: (OverrideStore) throws(StorageError) -> StoreCommit
    ) throws(CommandFailure) -> StoreCommit {
        let commit: StoreCommit
        do throws(StorageError) {
            commit = try write(store)
        } catch {
            throw failure(of: error)
        }
        report(commit)
        if !settings.isQuiet { warnings(about: commit).forEach(StandardError.warn) }
        return commit
    }

    /// The error of a command whose write failed.
    package func failure(of error: StorageError) -> CommandFailure {
        CommandFailure(error.code == .refused ? settings.readOnlyStatus : .store, error.description)
    }

    /// Prints a commit to standard error, `key: old -> new (was LAYER)`, and as JSON if requested.
    package func report(_ commit: StoreCommit) {
        if let notice = commit.notice { StandardError.warn(notice) }
        let effects = EffectiveChange.all(commit.changes, overrides: commit.table.overrides, on: board)
        if settings.isJSON {
            JSONOutput.object([
                ("revision", .integer(commit.table.revision)), ("changes", .array(effects.map(FlagJSON.change))),
                ("contexts", .array(commit.contextChanges.map(FlagJSON.change))),
            ]).print()
        }
        guard !settings.isQuiet else { return }
        for effect in effects { StandardError.printLine(effect.sentence) }
        for change in commit.contextChanges { StandardError.printLine(change.sentence) }
    }
}
