import FlagModel

extension OverrideStore {
    /// Undoes the newest action that is not undone yet, by any author and any process.
    ///
    /// A key that has changed since is skipped, and the commit's notice says so.
    ///
    /// - Throws: `nothingToUndo`, or why the store could not be written; then the file is unchanged.
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

    /// Undoes every action from the newest down to one, each as a separate change, which redo repeats one by one. If
    /// one of them cannot be undone, those before it stay undone.
    ///
    /// - Parameter revision: the revision of the last action to undo, from the history.
    /// - Returns: the current overrides, all changes, and every notice.
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

    /// Redoes the last undone action. After any action other than undo and redo there is nothing to redo.
    ///
    /// A key that has changed since is skipped, and the commit's notice says so.
    ///
    /// - Throws: `nothingToRedo`, or why the store could not be written; then the file is unchanged.
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

    /// The history, the newest record first.
    ///
    /// - Parameter limit: the most records; by default, all.
    /// - Throws: `cannotRead` if an existing history cannot be read.
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
    /// - Throws: `nothingToUndo` if the last change is not recorded, as after a power cut: undoing another one would be
    ///   wrong.
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
    /// Whether an undo may undo it: it is not an undo or redo, changed something, and is not undone.
    fileprivate var isUndoable: Bool { undoes == nil && redoes == nil && !isUndone && !steps.isEmpty }
}

extension [OverrideChange] {
    /// These changes and later ones merged: if a key changed more than once, the first value and the last.
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
    /// The revision of the file; `nil` if it is missing, cannot be read or has none.
    fileprivate var revision: Int? {
        switch self {
        case .present(.sound(let file, _), _), .present(.newerFormat(_, let file), _):
            file.revision == 0 ? nil : file.revision
        case .missing, .present(.corrupt, _), .unreadable: nil
        }
    }
}

extension [StoredChange] {
    /// How many keys are named; the rest is counted.
    private static var namedLimit: Int { 5 }

    /// A sentence for each skipped change, whose key has changed since.
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
        // The file has no error and may not exist, so the sentence does not name it.
        return StorageError(code: code, path: path, sentence: "Nothing to \(verb).")
    }
}
