import FlagModel

/// The base of a write.
struct TransactionBase {
    /// The error of the file, and what is known of its overrides.
    enum Damage {
        /// It is not a valid override file.
        case corrupt(String, LastGood.Evidence)
        /// It cannot be read, but is to be cleared.
        case unreadable(StorageError)
    }

    /// The content of the file; the last good values if it is damaged.
    let file: OverrideFile
    /// The size in bytes; 0 if there is no file, or it could not be read.
    var size = 0
    /// The hash of the file; `nil` if there is no file, or it could not be read.
    var hash: ContentHash?
    /// `nil` unless the file is damaged.
    var damage: Damage?
}

/// One write under the lock: history first, then the file.
///
/// If it is killed before the history is written, nothing has happened. If it is killed between the two, the file is
/// unchanged and the record is ignored, as no later one is based on it. If it is killed afterwards, the override is
/// there and can be undone.
struct StoreTransaction {
    /// The result of a transaction: the current file, and what to report.
    struct Outcome {
        let file: OverrideFile
        let commit: StoreCommit
    }

    /// The store's path as the user knows it.
    let path: String
    let place: StorePlace
    let from: TransactionBase
    /// The owner of new files.
    let owner: FileOwner?
    let author: String
    let time: Timestamp
    let files: FileOperations

    /// The content of the file; the last good values if it is damaged.
    var base: OverrideFile { from.file }
    var isDamaged: Bool { from.damage != nil }

    /// The result without a change.
    var unchanged: Outcome { Outcome(file: base, commit: StoreCommit(table: base.table, changes: [])) }

    /// Applies edits, and writes if they change anything.
    func make(_ edits: [OverrideEdit], label: String?) throws(StorageError) -> Outcome {
        let changes = base.changes(by: edits, author: author, at: time)
        guard !changes.isEmpty || isDamaged else { return unchanged }
        return try commit(changes, action: label ?? edits.action)
    }

    /// Records and writes `changes`.
    ///
    /// - Parameter notices: sentences for the user so far.
    func commit(
        _ changes: [StoredChange], action: String, undoes: Int? = nil, redoes: Int? = nil, notices: [String] = []
    ) throws(StorageError) -> Outcome {
        var file = base
        file.apply(changes)
        file.revision = base.revision + 1
        var bytes = file.bytes
        // Before anything is written; opening the history may shorten it.
        try StoreLimits.check(
            path, changes, size: (from.size, bytes.count), count: (base.entries.count, file.entries.count))
        let history = HistoryAppender(
            place.history, owner: owner, limit: HistoryFile.lengthLimit(forOverridesOf: from.size))
        if let last = history.last?.revision, last > base.revision {
            file.revision = last + 1
            bytes = file.bytes
        }
        let record = HistoryRecord(
            revision: file.revision, at: time, by: author, action: action, undoes: undoes, redoes: redoes,
            base: isDamaged || base.revision == 0 ? file.revision - 1 : base.revision, hash: ContentHash(of: bytes),
            found: isLeft(by: history.last) && !history.isShortened ? nil : base.entries, steps: changes
        )
        var notices = notices
        notices += history.append(record)
        do throws(StorageError) {
            notices += try write(bytes)
        } catch {
            history.takeBack()
            throw error
        }
        let notice = notices.isEmpty ? nil : notices.joined(separator: " ")
        let commit = StoreCommit(table: file.table, changes: record.changes, notice: notice, record: record)
        return Outcome(file: file, commit: commit)
    }

    /// Whether the file has the content of the last record.
    private func isLeft(by last: RecordHead?) -> Bool {
        guard let last, let hash = from.hash else { return false }
        return last.revision == base.revision && last.hash == hash
    }

    /// Replaces the file, moving a corrupt one aside; returns sentences for the user.
    private func write(_ bytes: [UInt8]) throws(StorageError) -> [String] {
        guard let damage = from.damage else {
            return [try DurableFile.replace(place.file, with: bytes, isLocked: true, files: files)].compactMap { $0 }
        }
        let kept = try CorruptFile(keeping: place.file, at: time, files: files)
        let late = try kept.replace(with: bytes)
        return [damage.notice(path: path, keptAs: kept.path), late].compactMap { $0 }
    }
}

extension TransactionBase.Damage {
    /// The notice that the damaged file `path` was moved aside.
    fileprivate func notice(path: String, keptAs aside: String) -> String {
        let name = StorageError.quotedName(path)
        switch self {
        case .corrupt(let complaint, let evidence):
            let origin =
                switch evidence {
                case .reading: "from the last good overrides"
                case .history(let time): "from the history, last entry \(time.rfc3339)"
                case .nothing: "without overrides, as the last ones are unknown"
                }
            return "Damaged at \(complaint): \(name) was rewritten \(origin). The damaged file is kept. (\(aside))"
        case .unreadable:
            return "A new file without overrides has replaced \(name), which cannot be read. It is kept. (\(aside))"
        }
    }
}
