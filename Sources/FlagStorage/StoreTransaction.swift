import FlagModel

/// The state of the override file before a write.
struct TransactionBase {
    /// The error of the file, and the origin of its last good overrides.
    enum Damage {
        /// The file is not a valid override file.
        case corrupt(String, LastGood.Evidence)
        /// The file cannot be read, but the write removes all overrides anyway.
        case unreadable
    }

    /// The content of the file without what has ended; the last good values if it is damaged.
    var file: OverrideFile
    /// The size of the file in bytes; 0 if it is missing or damaged.
    var size = 0
    /// The hash of the file; `nil` if it is missing or damaged.
    var hash: String?
    /// The damage of the file; `nil` if there is none.
    var damage: Damage?
}

/// One write under the lock: first the history, then the override file.
///
/// If the process is killed before it writes the history, nothing has changed. If it is killed between the two writes,
/// the file is unchanged and readers ignore the record, because no later record is based on that record. If it is
/// killed afterwards, the change is complete and can be undone.
struct StoreTransaction {
    let store: OverrideStore
    let place: StorePlace
    let transactionBase: TransactionBase
    /// The removals of overrides that have ended.
    let ended: [StoredChange]
    let author: String
    let clock: ClockReading
    /// Whether only to return what would change.
    let isDryRun: Bool

    /// The store's path as the user knows it.
    private var path: String { store.path }
    private var files: FileOperations { store.files }
    /// The content of the file; the last good values if it is damaged.
    var base: OverrideFile { transactionBase.file }
    var isDamaged: Bool { transactionBase.damage != nil }
    private var time: FlagTimestamp { clock.now }

    /// The content of the file with the overrides that have ended.
    var baseWithEnded: OverrideFile {
        ended.reduce(into: base) { $0.entries[$1.key] = $1.before }
    }

    /// Applies edits, and writes if they change anything.
    func make(_ edits: [OverrideEdit], label: String?) throws(StorageError) -> StoreCommit {
        var (edits, clock, notices) = (edits, clock, [String]())
        if edits.contains(where: { if case .end(_, .untilRestart) = $0 { true } else { false } }) {
            clock.running = store.running()
            // If no process of the app runs, the override would end at once. It stays instead.
            if clock.running.isEmpty {
                notices = ["No app has announced itself here, so nothing ends when it restarts."]
                edits = edits.map { if case .end(let key, .untilRestart) = $0 { .end(key: key, .forever) } else { $0 } }
            }
        }
        let changes = base.changes(by: edits, author: author, at: clock)
        guard !changes.isEmpty || isDamaged else {
            store.remember(baseWithEnded)
            return StoreCommit(table: base.table, changes: [])
        }
        return try commit(changes, removing: ended, action: label ?? edits.action, notices: notices)
    }

    /// Undoes the end of the overrides that have ended, which gets its record first, as in each write.
    func bringBackEnded() throws(StorageError) -> StoreCommit {
        var changes = StoredChanges(overrides: ended).inverse
        changes.removePastEnds(at: clock)
        return try commit(changes, removing: ended, action: "undo", undoesEnd: true)
    }

    /// Undoes or redoes the changes of a step. Overrides that have ended count as they were.
    func reverse(_ step: ActionLog.Step, isUndo: Bool) throws(StorageError) -> StoreCommit {
        var (changes, skipped) = step.changes.inverse.split(by: baseWithEnded)
        changes.removePastEnds(at: store.clock(for: changes.overrides.compactMap(\.after)))
        let reversed = Set(changes.overrides.map(\.key))
        let revision = step.action.revision
        return try commit(
            changes, removing: ended.filter { !reversed.contains($0.key) }, action: isUndo ? "undo" : "redo",
            undoes: isUndo ? revision : nil, redoes: isUndo ? nil : revision, notices: skipped.notices(in: base))
    }

    /// Records and writes `changes`.
    ///
    /// - Parameters:
    ///   - ended: the removals of ended overrides, which get a record of their own.
    ///   - undoesEnd: whether `changes` undo that record.
    ///   - notices: sentences for the user. This function appends more sentences.
    private func commit(
        _ changes: StoredChanges, removing ended: [StoredChange], action: String, undoes: Int? = nil,
        undoesEnd: Bool = false, redoes: Int? = nil, notices: [String] = []
    ) throws(StorageError) -> StoreCommit {
        var file = base
        file.apply(changes)
        guard !isDryRun else {
            return StoreCommit(
                table: file.table, changes: changes.overrides.map(\.summary), contextChanges: changes.contexts)
        }
        let recordCount = ended.isEmpty ? 1 : 2
        file.revision = base.revision + recordCount
        file.isOfFormat1 = false
        var bytes = file.bytes
        // Checked before the history is opened, because opening the history may shorten it.
        try StoreLimits.check(
            path, changes, size: (transactionBase.size, bytes.count),
            count: (base.entries.count, file.entries.count))
        let history = HistoryAppender(
            place.history, limit: HistoryFile.lengthLimit(forOverridesOf: transactionBase.size))
        if let last = history.last?.revision, last > base.revision {
            file.revision = last + recordCount
            bytes = file.bytes
        }
        let found = hasContent(of: history.last) && !history.isShortened ? nil : baseWithEnded.entries
        let start = isDamaged || base.revision == 0 ? file.revision - recordCount : base.revision
        var records: [HistoryRecord] = []
        if !ended.isEmpty {
            records = [
                HistoryRecord(
                    revision: file.revision - 1, at: time, by: HistoryRecord.timeAuthor,
                    action: ended.count == 1 ? "end \(ended[0].key.string)" : "end \(ended.count) overrides",
                    undoes: nil, redoes: nil, base: start, hash: nil, baseEntries: found, baseContexts: base.contexts,
                    steps: StoredChanges(overrides: ended))
            ]
        }
        let record = HistoryRecord(
            revision: file.revision, at: time, by: author, action: action,
            undoes: undoesEnd ? file.revision - 1 : undoes, redoes: redoes,
            base: ended.isEmpty ? start : file.revision - 1, hash: FNV1a.digits(of: bytes),
            baseEntries: ended.isEmpty ? found : nil, baseContexts: base.contexts, steps: changes)
        let notices = notices + history.append(records + [record])
        do throws(StorageError) {
            return StoreCommit(
                table: file.table, changes: record.changes, contextChanges: record.contextChanges,
                notice: try write(file, bytes, notices: notices), record: record)
        } catch {
            history.removeRecords()
            throw error
        }
    }

    /// Whether the file is unchanged since `record` was written.
    private func hasContent(of record: HistoryRecord?) -> Bool {
        guard let record, let hash = transactionBase.hash else { return false }
        // Contexts that were in a file of their own are in no record.
        return record.revision == base.revision && record.hash == hash && !(base.isOfFormat1 && !base.contexts.isEmpty)
    }

    /// Replaces the file, and returns the sentences for the user, in one; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - bytes: those of the new file.
    ///   - notices: earlier sentences.
    func write(_ file: OverrideFile, _ bytes: [UInt8], notices: [String] = []) throws(StorageError) -> String? {
        var notices = notices + (try replace(with: bytes))
        if base.isOfFormat1 {
            notices += [FormerContexts(beside: path, files: files).keepAside()].compactMap { $0 }
        }
        store.remember(file)
        return notices.isEmpty ? nil : notices.joined(separator: " ")
    }

    /// Replaces the file. A damaged file is saved under another name. Returns sentences for the user.
    private func replace(with bytes: [UInt8]) throws(StorageError) -> [String] {
        guard let damage = transactionBase.damage else {
            // The reader also tells what is strange in a file, which the commit does not.
            let isWhole = base.strangeEntries.isEmpty && base.strangeContexts.isEmpty
            let warning = try DurableFile.replace(
                place.file, with: bytes, isLocked: true, files: files,
                willReplace: { if isWhole { store.willReplace(with: $0) } })
            return [warning].compactMap { $0 }
        }
        let corruptFile = try CorruptFile.replace(place.file, with: bytes, at: time, files: files)
        return [damage.notice(path: path, savedAs: corruptFile.path), corruptFile.warning].compactMap { $0 }
    }
}

extension TransactionBase.Damage {
    /// The notice that the damaged file `path` was replaced, and its old content is saved as `corruptPath`.
    fileprivate func notice(path: String, savedAs corruptPath: String) -> String {
        let name = StorageError.quotedName(path)
        switch self {
        case .corrupt(let reason, let evidence):
            let origin =
                switch evidence {
                case .reading: "from the last good overrides"
                case .history(let time): "from the history, last entry \(time.rfc3339)"
                case .nothing: "without overrides, as the last ones are unknown"
                }
            return "Damaged at \(reason): \(name) was rewritten \(origin). The damaged file is kept. (\(corruptPath))"
        case .unreadable:
            return
                "A new file without overrides has replaced \(name), which cannot be read. The unreadable file is kept. (\(corruptPath))"
        }
    }
}
