package import FlagModel

extension OverrideStore {
    /// Undoes the newest action that is not undone yet, of any author and any process.
    ///
    /// Brings back what has ended, without an end. Skips a key that has changed since the action, and says so in the
    /// commit's notice.
    ///
    /// - Throws: `nothingToUndo`, also while a search by hand is running, or why the store could not be written. The
    ///   file is unchanged on an error.
    public func undo() throws(StorageError) -> StoreCommit { try undo(upTo: .max) }

    private func undo(upTo revision: Int) throws(StorageError) -> StoreCommit {
        try reverse(\.undoable, isUndo: true, upTo: revision)
    }

    /// Undoes the newest action of one author that is not undone yet, and of which others have changed nothing since: an
    /// undo of their changes would later bring the action back in part.
    ///
    /// - Parameters:
    ///   - author: the author; `nil` for any.
    ///   - revision: the revision that the overrides must have; `nil` for any.
    ///   - isDryRun: whether only to return what would change.
    /// - Throws: `nothingToUndo`, `refused` if the revision is another one or others have changed something since of
    ///   each action, or why the store could not be written.
    package func undo(
        by author: String?, expecting revision: Int?, isDryRun: Bool = false
    ) throws(StorageError) -> StoreCommit {
        try reverse(\.undoable, isUndo: true, by: author, expecting: revision, isDryRun: isDryRun)
    }

    /// Undoes all actions of one author that ``undo(by:expecting:isDryRun:)`` can undo; each undo is a change of its own.
    ///
    /// - Returns: the overrides after the last undo; `nil` if there was nothing to undo.
    /// - Throws: `refused` if others have changed something since of each action, or why the store could not be written.
    package func undoAll(by author: String) throws(StorageError) -> OverrideTable? {
        var table: OverrideTable?
        do throws(StorageError) {
            while true { table = try undo(by: author, expecting: nil).table }
        } catch {
            guard error.code == .nothingToUndo || error.code == .refused && table != nil else { throw error }
            return table
        }
    }

    /// The overrides that ``undoAll(by:)`` would leave.
    package func undoneAll(by author: String) throws(StorageError) -> OverrideTable {
        guard case .sound(var file, _, _) = StoredContent(path, files: files) else { return OverrideTable() }
        let steps = try place().history.reading { lines, isWhole in
            isWhole ? ActionLog(lines, reaching: file.revision).undoable(by: author) : nil
        }
        for step in steps ?? [] { file.apply(step.changes.inverse.split(by: file).changes) }
        return file.table
    }

    /// Undoes all actions from the newest down to the action of `revision`. Each undo is a separate change that can be
    /// redone separately. If an action cannot be undone, the newer actions stay undone.
    ///
    /// - Parameter revision: the revision of the last action to undo, from the history.
    /// - Returns: the current overrides, all changes and notices, and the record of the last undo.
    /// - Throws: `nothingToUndo` if the history has no such action or it is already undone, or why the store could not
    ///   be written.
    public func undo(to revision: Int) throws(StorageError) -> StoreCommit {
        let records = try history()
        guard let newest = records.first, records.contains(where: { $0.revision == revision && $0.isUndoable }) else {
            throw StorageError(
                code: .nothingToUndo, path: path,
                sentence: "The history has no change \(revision) that can be undone. Nothing was changed.")
        }
        let old = read().table
        // Overrides that end meanwhile stay ended.
        var result = try undo(upTo: newest.revision)
        var notices = [result.notice]
        while let undone = result.record?.undoes, undone > revision {
            result = try undo(upTo: newest.revision)
            notices.append(result.notice)
        }
        result.notice = notices.contains { $0 != nil } ? notices.compactMap { $0 }.joined(separator: " ") : nil
        result.changes = result.table.overrides.changes(from: old.overrides)
        result.contextChanges = result.table.contexts.changes(from: old.contexts)
        return result
    }

    /// Redoes the last undone action. After any action other than undo and redo, nothing can be redone.
    ///
    /// Skips a key that has changed since the undo, and says so in the commit's notice.
    ///
    /// - Throws: `nothingToRedo`, or why the store could not be written. The file is unchanged on an error.
    public func redo() throws(StorageError) -> StoreCommit { try reverse(\.redoable, isUndo: false) }

    private func reverse(
        _ steps: KeyPath<ActionLog, [ActionLog.Step]>, isUndo: Bool, upTo limit: Int = .max, by author: String? = nil,
        expecting expected: Int? = nil, isDryRun: Bool = false
    ) throws(StorageError) -> StoreCommit {
        try write(expecting: expected, isDryRun: isDryRun) { transaction throws(StorageError) in
            // The states of a search are in no record, so an undo would act on an earlier change.
            guard try LiveSession.searchByHand(in: self) == nil else {
                throw StorageError(
                    .nothingToUndo, path,
                    "A bisect by hand is running, and undo and redo wait for its end. Nothing was changed. "
                        + "flagmenu bisect stops it, also :bisect and X in the menu.")
            }
            // What has ended is the newest change, although no writer has recorded it. An author has not made it.
            if isUndo, limit == .max, author == nil, !transaction.ended.isEmpty {
                return try transaction.bringBackEnded()
            }
            let base = transaction.base.revision
            let revision = transaction.isDamaged || base == 0 ? nil : base
            guard let step = try lastStep(steps, at: revision, in: transaction.place, upTo: limit, by: author) else {
                // The history has no error and may not exist, so the sentence does not name it.
                throw StorageError(
                    code: isUndo ? .nothingToUndo : .nothingToRedo, path: transaction.place.history.path,
                    sentence: "Nothing to \(isUndo ? "undo" : "redo").")
            }
            return try transaction.reverse(step, isUndo: isUndo)
        }
    }

    /// The history, the newest record first.
    ///
    /// - Parameter limit: the maximum number of records; by default, all.
    /// - Throws: `cannotRead` if an existing history cannot be read.
    public func history(limit: Int? = nil) throws(StorageError) -> [HistoryRecord] {
        let revision = StoredContent(path, files: files).revision
        let records = try place().history.reading { lines, isWhole in
            let records = ActionLog(lines, reaching: revision).records
            return isWhole || records.count >= limit ?? .max ? records : nil
        }
        return Array((records ?? []).reversed().prefix(limit ?? .max))
    }

    /// The next action to undo or to redo.
    ///
    /// - Parameters:
    ///   - revision: the revision of the override file; `nil` if it is missing or damaged.
    ///   - limit: the newest revision of such an action.
    ///   - author: the author of such an action, for undoing; see ``ActionLog/undoable(by:)``. `nil` for any.
    /// - Throws: `nothingToUndo` if the last change has no record, as after a power cut; an earlier change must not be
    ///   undone instead. `refused` if others have changed something since of each action of the author.
    private func lastStep(
        _ steps: KeyPath<ActionLog, [ActionLog.Step]>, at revision: Int?, in place: StorePlace,
        upTo limit: Int = .max, by author: String? = nil
    ) throws(StorageError) -> ActionLog.Step? {
        func last(in log: ActionLog) -> ActionLog.Step? {
            if let author { return log.undoable(by: author).first }
            return log[keyPath: steps].last { $0.action.revision <= limit }
        }
        let log = try place.history.reading { lines, isWhole in
            let log = ActionLog(lines, reaching: revision)
            return isWhole || last(in: log) != nil && !log.refersToMissing ? log : nil
        }
        guard let log else { return nil }
        if log.isBehind {
            let history = StorageError.quotedName(place.history.path)
            throw StorageError(
                .nothingToUndo, path,
                "The last change of \(StorageError.quotedName(path)) is not in \(history), as after a power cut or "
                    + "during a bisect, so undo and redo would act on an earlier change. Nothing was changed. "
                    + "Use set or reset instead.")
        }
        if let step = last(in: log) { return step }
        guard let author, let own = log.undoable.last(where: { $0.action.by == author }) else { return nil }
        for other in log.undoable.reversed() where other.action.by != author && !other.action.isEnd {
            guard let name = own.changes.firstName(alsoIn: other.changes) else { continue }
            throw StorageError(
                .refused, path,
                "\(name) was changed since by \(JSONOutput.quoted(other.action.by, limit: 30)). Nothing was changed.")
        }
        return nil
    }
}

extension StoreCommit {
    /// What has changed from one state to another.
    package init(from old: OverrideTable, to new: OverrideTable) {
        let changes = new.overrides.changes(from: old.overrides)
        self.init(table: new, changes: changes, contextChanges: new.contexts.changes(from: old.contexts))
    }
}

extension HistoryRecord {
    /// Whether the action can be undone: it is not an undo, redo or rename, changed something, and is not undone.
    fileprivate var isUndoable: Bool { undoes == nil && redoes == nil && !isRename && !isUndone && !steps.isEmpty }
}

extension StoredChanges {
    /// The maximum number of keys to name; further keys are only counted.
    private static var namedLimit: Int { 5 }

    /// Sentences that these changes were skipped, as their keys have changed since.
    func notices(in file: OverrideFile) -> [String] {
        let parts = file.contexts.overrides.parts
        let contextSentences = contexts.map {
            "The \($0.part.label) was changed since and stays as it is: \($0.part.shown(parts[$0.part]))."
        }
        let sentences = overrides.prefix(Self.namedLimit).map { change in
            let key = JSONOutput.quoted(change.key.string, limit: 60)
            guard let current = file.entries[change.key]?.override else {
                return "\(key) was reset since then and stays reset."
            }
            let author = current.setBy.map { " by " + JSONOutput.quoted($0, limit: 30) } ?? ""
            return "\(key) was changed since\(author) and keeps \(JSONOutput.quoted(current.value, limit: 40))."
        }
        let unnamedCount = overrides.count - Self.namedLimit
        return sentences
            + (unnamedCount > 0 ? ["\(unnamedCount) more keys were changed since and keep their values."] : [])
            + contextSentences
    }
}
