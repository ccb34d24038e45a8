public import FlagModel
import Synchronization

/// The overrides of one app on this machine: a file that any number of processes read and change at once.
///
/// Reading takes no lock and never fails: where the file cannot be read, the last good values stay in use and the
/// condition tells why. A write is all or nothing; once it is reported it survives `kill -9` and a power cut, and no
/// other writer's change is lost, because each write reads the file again under a lock and touches only its own keys.
///
/// A symbolic link in the file's place is followed. Lock, history and temporary files are beside the file that it leads
/// to, so that everybody who writes that file shares them.
public final class OverrideStore: Sendable {
    /// Where the override file is, or will be.
    public let path: String
    /// Who is named in overrides and history.
    public let author: String

    let files: FileOperations
    private let now: @Sendable () -> Timestamp
    /// What was last read from or written to the file, or known from the history.
    private let lastGood = Mutex<OverrideFile?>(nil)

    /// A store in a folder, which is created by the first write.
    ///
    /// - Parameters:
    ///   - directory: the folder.
    ///   - author: who is named in overrides and history.
    ///   - now: the time that overrides and history are given.
    ///   - files: the system calls.
    public init(
        directory: String, author: String, now: @escaping @Sendable () -> Timestamp, files: FileOperations = .live
    ) {
        path = FilePath.join(FilePath.trimmed(directory), "overrides.json")
        self.author = author
        self.now = now
        self.files = files
    }

    /// The overrides of now. A file changed by hand is picked up like any other.
    public func read() -> StoreReading {
        switch StoredContent(path, files: files) {
        case .missing:
            remember(OverrideFile(revision: (try? place().history.records().last?.revision) ?? 0))
            return StoreReading(table: OverrideTable(), condition: .missing)
        case .present(.sound(let file, let problems)):
            remember(file)
            return StoreReading(table: file.table, condition: .sound, problems: problems)
        case .present(.newerFormat(let format, let file)):
            remember(file)
            return StoreReading(table: file.table, condition: .newerFormat(format))
        case .present(.corrupt(let sentence)):
            return StoreReading(table: lastGoodFile().table, condition: .corrupt("\(path): \(sentence)"))
        case .unreadable(let error):
            return StoreReading(table: lastGoodFile().table, condition: .unreadable(error.sentence))
        }
    }

    /// Makes edits, all or none, and reports them when they are on the disk.
    ///
    /// Edits that change nothing write nothing. A corrupt file is moved aside first and the edits are made on the last
    /// good values.
    ///
    /// - Parameters:
    ///   - edits: made one after the other.
    ///   - label: what the history calls them; `set`, `clear`, `clear all` or `import` when left out.
    /// - Throws: a ``StorageError``; then the file is as it was.
    public func apply(_ edits: [OverrideEdit], label: String? = nil) throws(StorageError) -> StoreCommit {
        try write { transaction throws(StorageError) in
            let changes = transaction.base.changes(by: edits, author: author, at: transaction.time)
            guard !changes.isEmpty || transaction.isCorrupt else { return transaction.unchanged }
            return try transaction.commit(changes, action: label ?? edits.action)
        }
    }

    /// Tells of every change of the file, also of this store's own. Read after this returns, then on each call.
    ///
    /// - Parameter onChange: called on the watch's thread; see ``DirectoryWatch``.
    /// - Returns: the watch, which ends with its last reference.
    /// - Throws: `cannotWatch` when there is no thread or no descriptor to be had.
    public func watch(_ onChange: @escaping @Sendable () -> Void) throws(StorageError) -> DirectoryWatch {
        try DirectoryWatch(path, files: files, onChange: onChange)
    }

    /// The files that belong to the store now; a symbolic link may lead elsewhere the next time.
    func place() throws(StorageError) -> StorePlace {
        try StorageError.reading(path) { () throws(SystemError) in try StorePlace(following: path, files: files) }
    }

    /// Runs `body` as the only writer, on what the file holds under the lock.
    func write(
        _ body: (StoreTransaction) throws(StorageError) -> StoreTransaction.Outcome
    ) throws(StorageError) -> StoreCommit {
        let place = try place()
        // Before anything is made beside it: a link may lead to a device, and no lock belongs into /dev.
        if let kind = place.kind, kind != .regular { throw .notAFile(path, kind) }
        try StorageError.writing(path) { () throws(SystemError) in try Folders.create(place.folder, files: files) }
        let lock = try StoreLock(place.lock, protecting: path, files: files)
        return try lock.holding { () throws(StorageError) in
            Folders.sweep(besides: place.file, files: files)
            let (base, complaint) = try writableBase()
            let outcome = try body(
                StoreTransaction(
                    path: path, place: place, base: base, complaint: complaint, author: author, time: now(),
                    files: files
                )
            )
            remember(outcome.file)
            return outcome.commit
        }
    }

    /// What the next write builds on, and what is wrong with the file when it is corrupt.
    private func writableBase() throws(StorageError) -> (OverrideFile, complaint: String?) {
        switch StoredContent(path, files: files) {
        case .missing: return (OverrideFile(), nil)
        case .present(.sound(let file, _)): return (file, nil)
        case .present(.corrupt(let sentence)): return (lastGoodFile(), sentence)
        case .present(.newerFormat(let format, _)): throw .newerFormat(path, format: format)
        case .unreadable(let error): throw error
        }
    }

    private func remember(_ file: OverrideFile) { lastGood.withLock { $0 = file } }

    /// What was last known to be good: what this store read or wrote, and what others recorded since; in a process that
    /// has read nothing yet, what the history adds up to.
    private func lastGoodFile() -> OverrideFile {
        var file = lastGood.withLock { $0 } ?? OverrideFile()
        // Without its history a corrupt file has nothing more to give.
        let lines = (try? place().history.records()) ?? []
        for record in ActionLog(lines, reaching: nil).records where record.revision > file.revision {
            file.apply(record.steps)
            file.revision = record.revision
        }
        return file
    }
}
