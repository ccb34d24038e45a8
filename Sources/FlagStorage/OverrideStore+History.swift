import FlagModel

extension OverrideStore {
    /// Takes back the newest action that is not undone yet, whoever made it and in whichever process.
    ///
    /// A key that changed since in another way is left alone, and the commit's notice says so.
    ///
    /// - Throws: `nothingToUndo`, or why the store could not be written; then the file is as it was.
    public func undo() throws(StorageError) -> StoreCommit {
        try write { transaction throws(StorageError) in
            guard let step = try lastStep(of: transaction, \.undoable) else {
                throw .nothing(.nothingToUndo, transaction.place.history.path)
            }
            let (changes, kept) = step.reversed(in: transaction.base)
            return try transaction.commit(
                changes, action: "undo", undoes: step.action.revision, notices: kept.notices(in: transaction.base)
            )
        }
    }

    /// Takes back every action that is not undone yet, from the newest down to one, each as a change of its own, which redo makes
    /// again one by one. If one of them cannot be taken back, those before it stay undone.
    ///
    /// - Parameter revision: the revision of the last action to take back, as the history has it.
    /// - Returns: the overrides as they are now, what changed in all, and every notice.
    /// - Throws: `nothingToUndo` if the history has no such action, or it is undone already; or why the store could not be written.
    public func undo(to revision: Int) throws(StorageError) -> StoreCommit {
        guard try history().contains(where: { $0.revision == revision && $0.isUndoable }) else {
            throw StorageError(
                code: .nothingToUndo, path: path,
                sentence: "The history has no change \(revision) that can be undone. Nothing was changed.")
        }
        var result = try undo()
        while let undone = result.record?.undoes, undone > revision {
            let next = try undo()
            let (before, after) = (result.changes, next.changes)
            result = next
            result.changes = before.followed(by: after)
        }
        return result
    }

    /// Makes the action again that was undone last. Any action other than undo and redo leaves nothing to redo.
    ///
    /// A key that changed since in another way is left alone, and the commit's notice says so.
    ///
    /// - Throws: `nothingToRedo`, or why the store could not be written; then the file is as it was.
    public func redo() throws(StorageError) -> StoreCommit {
        try write { transaction throws(StorageError) in
            guard let step = try lastStep(of: transaction, \.redoable) else {
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
        let revision = StoredContent(path, files: files).revision
        let records = try place().history.reading { lines, isWhole in
            let records = ActionLog(lines, reaching: revision).records
            return isWhole || records.count >= limit ?? .max ? records : nil
        }
        return Array((records ?? []).reversed().prefix(limit ?? .max))
    }

    /// The newest action that can be undone or redone.
    ///
    /// - Throws: `nothingToUndo` where the last change is not recorded, as after a power cut: another one is not what is meant.
    private func lastStep(
        of transaction: StoreTransaction, _ steps: KeyPath<ActionLog, [ActionLog.Step]>
    ) throws(StorageError) -> ActionLog.Step? {
        let revision = transaction.isDamaged || transaction.base.revision == 0 ? nil : transaction.base.revision
        let log = try transaction.place.history.reading { lines, isWhole in
            let log = ActionLog(lines, reaching: revision)
            return isWhole || !log[keyPath: steps].isEmpty && !log.refersToMissing ? log : nil
        }
        guard let log else { return nil }
        if log.isBehind { throw .notRecorded(path, history: transaction.place.history.path) }
        return log[keyPath: steps].last
    }
}

extension HistoryRecord {
    /// Whether an undo may take it back: it is no undo or redo, changed something, and is not undone.
    fileprivate var isUndoable: Bool { undoes == nil && redoes == nil && !isUndone && !steps.isEmpty }
}

extension [OverrideChange] {
    /// These changes and later ones as one: of a key that changed more than once, the first value and the last.
    fileprivate func followed(by later: [OverrideChange]) -> [OverrideChange] {
        var changes = self
        for change in later {
            guard let index = changes.firstIndex(where: { $0.key == change.key }) else {
                changes.append(change)
                continue
            }
            changes[index] = OverrideChange(key: change.key, old: changes[index].old, new: change.new)
        }
        return changes.filter { $0.old?.value != $0.new?.value }
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
            guard let now = file.entries[change.key]?.override else { return "\(key) was cleared since; it stays so." }
            let author = now.setBy.map { " by " + JSONOutput.quoted($0, limit: 30) } ?? ""
            return "\(key) was changed since\(author) and keeps \(JSONOutput.quoted(now.value, limit: 40))."
        }
        let rest = count - Self.namedLimit
        return rest > 0 ? sentences + ["\(rest) more keys were changed since and keep their values."] : sentences
    }
}

extension StorageError {
    /// The last change of the overrides in `path` cannot be undone.
    fileprivate static func notRecorded(_ path: String, history: String) -> StorageError {
        StorageError(
            .nothingToUndo, path,
            "The last change of \(quotedName(path)) is not in \(quotedName(history)), as after a power cut: nothing was changed, "
                + "as an earlier one would be undone or redone. Set or reset what you want to change.")
    }

    fileprivate static func nothing(_ code: Code, _ path: String) -> StorageError {
        let verb = code == .nothingToUndo ? "undo" : "redo"
        // Nothing is wrong with the file, which need not even be there, so the sentence does not name it.
        return StorageError(code: code, path: path, sentence: "Nothing to \(verb).")
    }
}
