public import FlagModel
import Synchronization

/// The overrides of one app on this machine: a file that any number of processes read and change concurrently.
///
/// Reading takes no lock and never fails: if the file cannot be read, the last good values stay in use, and
/// ``StoreReading/condition`` says why. A write is atomic; when it returns, its changes survive `kill -9` and a power
/// cut. Changes of other writers are not lost, because each write reads the file again under a lock and changes only
/// its own keys.
///
/// A symbolic link to the file is followed. Lock, history and temporary files are beside its target, so that all
/// writers of the target share them.
public final class OverrideStore: Sendable {
    /// The path of the override file, which may not exist yet.
    public let path: String
    /// Returns the author for overrides and history.
    private let author: @Sendable () -> String

    let files: FileOperations
    /// Returns why the store must not be written, as a sentence; `nil` if it may be.
    private let readOnlyReason: @Sendable () -> String?
    private let now: @Sendable () -> FlagTimestamp
    private let machineTime: @Sendable () -> MachineTime?
    private let memory = Mutex(Memory())

    private struct Memory {
        /// The content of the file as last read or written.
        var knownFile: KnownFile?
        /// The files that the last two writes put in place, until the watch of this process has seen them. An event may
        /// arrive when the file of the next write is already known, but not yet in place.
        var writtenFiles: [FileStatus] = []
    }

    /// A store in a folder, which the first write creates.
    ///
    /// - Parameters:
    ///   - directory: the folder.
    ///   - author: the author in overrides and history; evaluated at each write.
    ///   - now: returns the time for overrides and history.
    ///   - machineTime: returns the time since the boot, for overrides that end.
    ///   - readOnlyReason: why the store must not be written, as a sentence; `nil` if it may be. Evaluated at each
    ///     write.
    package init(
        directory: String, author: @autoclosure @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> FlagTimestamp,
        machineTime: @escaping @Sendable () -> MachineTime? = { .now },
        readOnlyReason: @autoclosure @escaping @Sendable () -> String? = nil,
        files: FileOperations = .live
    ) {
        self.readOnlyReason = readOnlyReason
        path = Self.path(in: directory)
        (self.author, self.now, self.machineTime, self.files) = (author, now, machineTime, files)
    }

    /// Reads the current overrides: those that have not ended. A file changed by hand is read like any other.
    public func read() -> StoreReading {
        // Read before the file, so that records that are added meanwhile do not count as seen.
        let history = historyStatus
        switch StoredContent(path, files: files) {
        case .sound(let file, let issues, let bytes):
            remember(file, seen(history, with: file))
            return StoreReading(table: table(of: file), condition: bytes == nil ? .missing : .sound, issues: issues)
        case .newerFormat(let format, let file):
            remember(file, history)
            return StoreReading(table: table(of: file), condition: .newerFormat(format))
        case .corrupt(let reason, let bytes):
            let lastGood = readableLastGood(isDamaged: !bytes.isEmpty)
            return StoreReading(
                table: table(of: lastGood.file), condition: .corrupt(lastGood.damage(reason, path: path)),
                areOverridesKnown: lastGood.evidence != .nothing)
        case .unreadable(let error):
            let lastGood = readableLastGood(isDamaged: error.code == .cannotRead)
            return StoreReading(
                table: table(of: lastGood.file),
                condition: .unreadable("\(error.sentence) \(lastGood.evidence.sentence)."), areOverridesKnown: false)
        }
    }

    /// The changes that readers of a file see now.
    private func table(of file: OverrideFile) -> OverrideTable {
        guard file.hasEnds else { return file.table }
        var file = file
        _ = file.removeEnded(at: clock(for: file.entries.values))
        return file.table
    }

    /// The time, with the running processes if one of the overrides ends with processes.
    func clock(for entries: some Sequence<StoredOverride>) -> ClockReading {
        var clock = ClockReading(now: now(), machine: machineTime())
        let processes = Set(entries.lazy.compactMap(\.override.end?.processes).joined())
        if !processes.isEmpty { clock.running = running(among: processes) }
        return clock
    }

    /// The ids of the app's running processes; see ``AppFolders/runningIDs(in:among:files:)``.
    func running(among ids: Set<String>? = nil) -> Set<String> {
        let folder = FilePath.folder(of: (try? place())?.file ?? path)
        return AppFolders.runningIDs(in: AppFolders.running(in: folder), among: ids, files: files)
    }

    /// Whether a process of the app runs and has announced itself, so that an override can end when the app restarts.
    package var isAppRunning: Bool { !running().isEmpty }

    /// Applies all edits, and returns when they are on disk.
    ///
    /// Writes nothing if nothing changes. A corrupt file is saved under another name, and the edits are applied to the
    /// last good values. A file that cannot be read is saved, too, if the only edit is to clear all.
    ///
    /// - Parameters:
    ///   - edits: the edits, applied in order.
    ///   - label: the action in the history; by default, `set`, `clear`, `clear all` or `import`.
    ///   - revision: the revision that the overrides must have; `nil` for any.
    ///   - isDryRun: whether only to return what would change.
    /// - Throws: a ``StorageError``. The file is unchanged on an error.
    public func apply(
        _ edits: [OverrideEdit], label: String? = nil, expecting revision: Int? = nil, isDryRun: Bool = false
    ) throws(StorageError) -> StoreCommit {
        try write(isClearing: edits == [.clearAll], expecting: revision, isDryRun: isDryRun) {
            transaction throws(StorageError) in
            try transaction.make(edits, label: label)
        }
    }

    /// Applies the edits that `decide` returns for the current overrides, which no other process can change meanwhile.
    /// If two processes step the same flag at the same time, the second one steps from the result of the first.
    ///
    /// - Parameters:
    ///   - label: the action in the history; see ``apply(_:label:expecting:isDryRun:)``.
    ///   - decide: called under the store's lock, so it must be fast.
    /// - Throws: a ``StorageError``. The file is unchanged on an error.
    public func apply(
        label: String? = nil, deciding decide: (OverrideTable) -> [OverrideEdit]
    ) throws(StorageError) -> StoreCommit {
        try write { transaction throws(StorageError) in
            try transaction.make(decide(transaction.base.table), label: label)
        }
    }

    /// Reports every change of the file. Read after this function returns, then at each call.
    ///
    /// - Parameters:
    ///   - omitsOwnWrites: whether writes by this value need not be reported. The caller then uses their commits, or
    ///     reads the file, also after an error of several undos.
    ///   - onChange: called on the thread of all watches, and must return soon; see ``DirectoryWatch``.
    /// - Returns: the watch, which ends when its last reference is released.
    /// - Throws: `cannotWatch` if there is no thread or no descriptor left.
    public func watch(
        omitsOwnWrites: Bool = false, _ onChange: @escaping @Sendable () -> Void
    ) throws(StorageError) -> DirectoryWatch {
        try DirectoryWatch(
            path, files: files, isOwnFile: { [weak self] in omitsOwnWrites && self?.isWrittenFileOnce() == true },
            onChange: onChange)
    }

    /// Called with the new file before it replaces the override file.
    func willReplace(with file: FileStatus) {
        memory.withLock { $0.writtenFiles = $0.writtenFiles.suffix(1) + [file] }
    }

    /// Whether the file is one that this process wrote last. Only once: it may be moved away and back later.
    private func isWrittenFileOnce() -> Bool {
        let file = DurableFile.status(of: path, files: files)
        return memory.withLock { memory in
            let place = memory.writtenFiles.firstIndex { $0 == file }
            memory.writtenFiles.removeFirst(place.map { $0 + 1 } ?? memory.writtenFiles.count)
            return place != nil
        }
    }

    /// All files of the store, existing or not: overrides, history and lock.
    public var paths: [String] {
        guard let place = try? place() else { return [path] }
        return [place.file, place.history.path, place.lock]
    }

    /// The files of the store. Resolves symbolic links each time, as they may change.
    func place() throws(StorageError) -> StorePlace {
        try StorageError.duringRead(of: path, StorePlace(following: path, files: files))
    }

    /// Runs `body` under the lock, with the content of the file.
    ///
    /// - Parameters:
    ///   - isClearing: whether `body` removes all overrides. If so, the file need not be readable.
    ///   - expected: the revision that the overrides must have; `nil` for any.
    ///   - isDryRun: whether the transaction only returns what it would change.
    func write(
        isClearing: Bool = false, expecting expected: Int? = nil, isDryRun: Bool = false,
        _ body: (StoreTransaction) throws(StorageError) -> StoreCommit
    ) throws(StorageError) -> StoreCommit {
        if let readOnlyReason = readOnlyReason() {
            throw StorageError(code: .refused, path: path, sentence: readOnlyReason)
        }
        let place = try place()
        let lock = StorePlace.lockName
        return try StoreLock.whileWriting(path, at: place.resolved, lock: lock, files: files) {
            () throws(StorageError) in
            var base = try writableBase(isClearing: isClearing)
            guard expected ?? base.file.revision == base.file.revision else {
                throw StorageError(
                    code: .refused, path: path,
                    sentence: "The overrides have revision \(base.file.revision) by now, not \(expected ?? 0). "
                        + "Nothing was changed.")
            }
            let clock = clock(for: base.file.entries.values)
            let ended = base.file.hasEnds ? base.file.removeEnded(at: clock) : []
            return try body(
                StoreTransaction(
                    store: self, place: place, transactionBase: base, ended: ended, author: author(), clock: clock,
                    isDryRun: isDryRun))
        }
    }

    /// The content that the next write starts from.
    ///
    /// - Parameter isClearing: whether the write removes all overrides. If so, the file need not be readable.
    private func writableBase(isClearing: Bool) throws(StorageError) -> TransactionBase {
        switch StoredContent(path, files: files) {
        case .sound(let file, _, let bytes):
            return TransactionBase(file: file, size: bytes?.count ?? 0, hash: bytes.map { FNV1a.digits(of: $0) })
        case .corrupt(let reason, let bytes):
            let lastGood = try lastGood(isDamaged: !bytes.isEmpty)
            return TransactionBase(file: lastGood.file, damage: .corrupt(reason, lastGood.evidence))
        case .newerFormat(let format, _): throw .newerFormat(path, format: format)
        case .unreadable(let error):
            guard isClearing, error.code == .tooLarge || error.code == .cannotRead else {
                throw error.code == .tooLarge
                    ? .tooLarge(
                        path, limit: DurableFile.sizeLimit,
                        advice: "Reset all overrides, which keeps it aside, or make it smaller.")
                    : error
            }
            return TransactionBase(file: readableLastGood(isDamaged: true).file, damage: .unreadable)
        }
    }

    private var historyStatus: FileStatus? { try? place().history.status() }

    /// Returns the status of the `history` if `file` has all changes of the history up to then, else `nil`. A writer
    /// records a change before it replaces the file.
    private func seen(_ history: FileStatus?, with file: OverrideFile) -> FileStatus? {
        // Usually the history has not changed and need not be read.
        guard let knownFile, knownFile.history != history,
            let last = (try? place())?.history.last, last.revision > file.revision
        else { return history }
        return nil
    }

    private var knownFile: KnownFile? { memory.withLock { $0.knownFile } }

    /// Remembers a file that this process has written or found in a write, with the whole history.
    func remember(_ file: OverrideFile) { remember(file, historyStatus) }

    private func remember(_ file: OverrideFile, _ history: FileStatus?) {
        memory.withLock { $0.knownFile = KnownFile(file: file, history: history) }
    }

    /// The overrides in use while the file cannot be read; see ``LastGood``.
    private func lastGood(isDamaged: Bool) throws(StorageError) -> LastGood {
        try LastGood(known: knownFile, history: place().history, isDamaged: isDamaged)
    }

    /// Like ``lastGood(isDamaged:)``, but ignores a history that cannot be read.
    private func readableLastGood(isDamaged: Bool) -> LastGood {
        (try? lastGood(isDamaged: isDamaged)) ?? LastGood(knownFile)
    }
}

extension OverrideStore {
    /// The path of the override file of a store in a folder.
    package static func path(in directory: String) -> String {
        FilePath.join(FilePath.trimmed(directory), "overrides.json")
    }

    /// The folder of the stores of a server's clients, each in a folder of its own.
    package static func clients(in directory: String) -> String { FilePath.join(directory, "clients") }

    /// Everything that a store in a folder uses, existing or not: the folder, files, and folders of announcements.
    package static func places(in directory: String) -> [String] {
        let store = OverrideStore(directory: directory, author: "", now: { FlagTimestamp(seconds: 0) })
        return [directory] + store.paths + [AppFolders.running(in: directory), clients(in: directory)]
    }
}
