import FlagModel

extension OverrideStore {
    /// Takes back the newest action that is not undone yet, whoever made it and in whichever process.
    ///
    /// A key that changed since in another way is left alone, and the commit's notice says so.
    ///
    /// - Throws: `nothingToUndo`, or why the store could not be written; then the file is as it was.
    public func undo() throws(StorageError) -> StoreCommit {
        try write { transaction throws(StorageError) in
            guard let step = try actions(for: transaction).undoable.last else {
                throw .nothing(.nothingToUndo, transaction.place.history.path)
            }
            let (changes, kept) = step.reversed(in: transaction.base)
            return try transaction.commit(
                changes, action: "undo", undoes: step.action.revision, notices: kept.notices(in: transaction.base)
            )
        }
    }

    /// Makes the action again that was undone last. Any action other than undo and redo leaves nothing to redo.
    ///
    /// A key that changed since in another way is left alone, and the commit's notice says so.
    ///
    /// - Throws: `nothingToRedo`, or why the store could not be written; then the file is as it was.
    public func redo() throws(StorageError) -> StoreCommit {
        try write { transaction throws(StorageError) in
            guard let step = try actions(for: transaction).redoable.last else {
                throw .nothing(.nothingToRedo, transaction.place.history.path)
            }
            let (changes, kept) = step.reversed(in: transaction.base)
            return try transaction.commit(
                changes, action: "redo", redoes: step.action.revision, notices: kept.notices(in: transaction.base)
            )
        }
    }

    /// What happened, the newest first.
    ///
    /// - Parameter limit: at most that many records; all when left out.
    /// - Throws: `cannotRead` when the history is there but cannot be read.
    public func history(limit: Int? = nil) throws(StorageError) -> [HistoryRecord] {
        let place = try place()
        let revision = StoredContent(path, files: files).revision
        let records = ActionLog(try place.history.records(), reaching: revision).records
        return Array(records.reversed().prefix(limit ?? .max))
    }

    private func actions(for transaction: StoreTransaction) throws(StorageError) -> ActionLog {
        let revision = transaction.isCorrupt ? 0 : transaction.base.revision
        return ActionLog(try transaction.place.history.records(), reaching: revision == 0 ? nil : revision)
    }
}

extension StoredContent {
    /// The revision that the file stands at; `nil` when it is missing, cannot be read or has none.
    fileprivate var revision: Int? {
        switch self {
        case .present(.sound(let file, _), _), .present(.newerFormat(_, let file), _):
            file.revision == 0 ? nil : file.revision
        case .missing, .present(.corrupt, _), .unreadable: nil
        }
    }
}

extension [StoredChange] {
    /// How many keys are named before the rest is counted.
    private static var namedLimit: Int { 5 }

    /// A sentence for each change that was not made because its key has changed since.
    fileprivate func notices(in file: OverrideFile) -> [String] {
        let sentences = prefix(Self.namedLimit).map { change in
            let key = JSONOutput.quoted(change.key.string, limit: 60)
            guard let now = file.entries[change.key]?.override else { return "\(key) was cleared since and stays so." }
            let author = now.setBy.map { " by " + JSONOutput.quoted($0, limit: 30) } ?? ""
            return "\(key) was changed since\(author) and keeps \(JSONOutput.quoted(now.value, limit: 40))."
        }
        let rest = count - Self.namedLimit
        return rest > 0 ? sentences + ["\(rest) more keys were changed since and keep their values."] : sentences
    }
}

extension StorageError {
    fileprivate static func nothing(_ code: Code, _ path: String) -> StorageError {
        let verb = code == .nothingToUndo ? "undo" : "redo"
        // Nothing is wrong with the file, which need not even be there, so the sentence does not name it.
        return StorageError(code: code, path: path, sentence: "Nothing to \(verb).")
    }
}
