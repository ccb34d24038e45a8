import FlagModel

/// One write by the holder of the lock: history first, then the file.
///
/// Killed before the history is written, nothing has happened. Killed between the two, the file stands and the record
/// is ignored, as no later one builds upon it. Killed afterwards, the override is there and can be undone.
struct StoreTransaction {
    /// What a transaction leaves: the file as it is now, and what to report.
    struct Outcome {
        let file: OverrideFile
        let commit: StoreCommit
    }

    /// The store's path, as the user knows it.
    let path: String
    let place: StorePlace
    /// What the file holds; the last good values where it is corrupt.
    let base: OverrideFile
    /// What is wrong with the file when it is corrupt.
    let complaint: String?
    let author: String
    let time: Timestamp
    let files: FileOperations

    var isCorrupt: Bool { complaint != nil }

    /// Nothing written, nothing changed.
    var unchanged: Outcome { Outcome(file: base, commit: StoreCommit(table: base.table, changes: [])) }

    /// Records and writes `changes`.
    ///
    /// - Parameter notices: sentences for the user that are known already.
    func commit(
        _ changes: [StoredChange], action: String, undoes: Int? = nil, redoes: Int? = nil, notices: [String] = []
    ) throws(StorageError) -> Outcome {
        let history = HistoryAppender(place.history)
        var file = base
        file.apply(changes)
        file.revision = max(base.revision, history.lastRevision) + 1
        let record = HistoryRecord(
            revision: file.revision, at: time, by: author, action: action, undoes: undoes, redoes: redoes,
            base: isCorrupt || base.revision == 0 ? file.revision - 1 : base.revision, steps: changes
        )
        var notices = notices
        notices += history.append(record)
        do throws(StorageError) {
            notices += try write(file)
        } catch {
            history.takeBack()
            throw error
        }
        let notice = notices.isEmpty ? nil : notices.joined(separator: " ")
        let commit = StoreCommit(table: file.table, changes: record.changes, notice: notice, record: record)
        return Outcome(file: file, commit: commit)
    }

    /// Replaces the file, keeping a corrupt one aside; returns sentences for the user.
    private func write(_ file: OverrideFile) throws(StorageError) -> [String] {
        var aside: CorruptFile?
        var notices: [String] = []
        if let complaint {
            let kept = try CorruptFile(keeping: place.file, at: time, files: files)
            notices.append("\(path) was damaged (\(complaint)) and is kept as \(kept.path). \(Self.rebuilt)")
            aside = kept
        }
        do throws(StorageError) {
            let late = try DurableFile.replace(place.file, with: Array(file.text.utf8), files: files)
            return notices + (late.map { [$0] } ?? [])
        } catch {
            aside?.putBack()
            throw error
        }
    }

    private static let rebuilt = "The overrides were written anew from the last good values."
}
