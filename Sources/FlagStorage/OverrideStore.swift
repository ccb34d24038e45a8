public import FlagModel
import Synchronization

/// The overrides of one app on this machine: a file that any number of processes read and change concurrently.
///
/// Reading takes no lock and never fails: if the file cannot be read, the last good values stay in use and the
/// condition says why. A write is atomic; when it returns it survives `kill -9` and a power cut, and no other writer's
/// change is lost, because each write reads the file again under a lock and changes only its own keys.
///
/// If the file is a symbolic link it is followed. Lock, history and temporary files are beside its target, so that all
/// writers of that file share them.
public final class OverrideStore: Sendable {
    /// Where the override file is, or will be.
    public let path: String
    /// The author in overrides and history.
    private let author: @Sendable () -> String

    let files: FileOperations
    /// The sentence that rejects every write; `nil` if the store may be written.
    private let refusal: @Sendable () -> String?
    private let now: @Sendable () -> Timestamp
    /// What was last read from or written to the file.
    private let known = Mutex<KnownFile?>(nil)

    /// A store in a folder, which is created by the first write.
    ///
    /// - Parameters:
    ///   - directory: the folder.
    ///   - author: the author in overrides and history; evaluated at each write.
    ///   - now: the time in overrides and history.
    ///   - refusal: the sentence that rejects every write, evaluated each time; `nil` if the store may
    ///     be written.
    package init(
        directory: String, author: @autoclosure @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> Timestamp, refusal: @autoclosure @escaping @Sendable () -> String? = nil,
        files: FileOperations = .live
    ) {
        self.refusal = refusal
        path = Self.path(in: directory)
        self.author = author
        self.now = now
        self.files = files
    }

    /// Reads the current overrides. A file changed by hand is read like any other.
    public func read() -> StoreReading {
        // Before the file: records added meanwhile must not count as seen.
        let mark = historyMark
        switch StoredContent(path, files: files) {
        case .missing:
            remember(OverrideFile(), seen(mark, with: OverrideFile()))
            return StoreReading(table: OverrideTable(), condition: .missing)
        case .present(.sound(let file, let problems), let bytes):
            remember(file, seen(mark, with: file), content: bytes)
            let view = file.view
            return StoreReading(table: view.table, condition: .sound, problems: problems + view.problems)
        case .present(.newerFormat(let format, let file), _):
            remember(file, mark)
            return StoreReading(table: file.table, condition: .newerFormat(format))
        case .present(.corrupt(let complaint), let bytes):
            let lastGood = readableLastGood(isDamaged: !bytes.isEmpty)
            return StoreReading(
                table: lastGood.file.table, condition: .corrupt(lastGood.damage(complaint, path: path)),
                areOverridesKnown: lastGood.evidence != .nothing)
        case .unreadable(let error):
            let lastGood = readableLastGood(isDamaged: error.code == .cannotRead)
            return StoreReading(
                table: lastGood.file.table,
                condition: .unreadable("\(error.sentence) \(lastGood.evidence.words)."), areOverridesKnown: false)
        }
    }

    /// Applies edits, all or none, and returns when they are on disk.
    ///
    /// Edits that change nothing write nothing. A corrupt file is moved aside first and the edits are applied to the
    /// last good values. So is one that cannot be read, if the only edit is to clear all.
    ///
    /// - Parameters:
    ///   - edits: applied in order.
    ///   - label: their name in the history; by default, `set`, `clear`, `clear all` or `import`.
    /// - Throws: a ``StorageError``; then the file is unchanged.
    public func apply(_ edits: [OverrideEdit], label: String? = nil) throws(StorageError) -> StoreCommit {
        try write(isClearing: edits == [.clearAll]) { transaction throws(StorageError) in
            try transaction.make(edits, label: label)
        }
    }

    /// Applies the edits that `decide` returns for the current overrides, which nobody else can change meanwhile. So if
    /// two processes step the same flag at the same time, each steps from the other's result.
    ///
    /// - Parameters:
    ///   - label: the name of the edits in the history; see ``apply(_:label:)``.
    ///   - decide: called under the store's lock; must be brief.
    /// - Throws: a ``StorageError``; then the file is unchanged.
    public func apply(
        label: String? = nil, deciding decide: (OverrideTable) -> [OverrideEdit]
    ) throws(StorageError) -> StoreCommit {
        try write { transaction throws(StorageError) in
            try transaction.make(decide(transaction.base.table), label: label)
        }
    }

    /// Reports every change of the file, including this store's own. Read after this returns, then on each call.
    ///
    /// - Parameter onChange: called on the watch's thread; see ``DirectoryWatch``.
    /// - Returns: the watch, which ends with its last reference.
    /// - Throws: `cannotWatch` if there is no thread or no descriptor left.
    public func watch(_ onChange: @escaping @Sendable () -> Void) throws(StorageError) -> DirectoryWatch {
        try DirectoryWatch(path, files: files, onChange: onChange)
    }

    /// All files of the store, existing or not: overrides, history and lock.
    public var paths: [String] {
        guard let place = try? place() else { return [path] }
        return [place.file, place.history.path, place.lock]
    }

    /// The current files of the store; a symbolic link may lead elsewhere the next time.
    func place() throws(StorageError) -> StorePlace {
        try StorageError.reading(path) { () throws(SystemError) in try StorePlace(following: path, files: files) }
    }

    /// Runs `body` as the only writer, with the content under the lock.
    ///
    /// - Parameter isClearing: whether it removes all overrides, for which the file need not be readable.
    func write(
        isClearing: Bool = false, _ body: (StoreTransaction) throws(StorageError) -> StoreTransaction.Outcome
    ) throws(StorageError) -> StoreCommit {
        if let refusal = refusal() { throw StorageError(code: .refused, path: path, sentence: refusal) }
        let place = try place()
        let lock = StorePlace.lockName
        return try StoreLock.whileWriting(path, at: place.resolved, lock: lock, files: files) {
            owner throws(StorageError) in
            let outcome = try body(
                StoreTransaction(
                    path: path, place: place, from: try writableBase(isClearing: isClearing), owner: owner,
                    author: author(), time: now(), files: files
                )
            )
            remember(outcome.file, historyMark)
            return outcome.commit
        }
    }

    /// The base of the next write.
    ///
    /// - Parameter isClearing: whether the write removes all overrides, for which the file need not be readable.
    private func writableBase(isClearing: Bool) throws(StorageError) -> TransactionBase {
        switch StoredContent(path, files: files, known: known.withLock { $0 }) {
        case .missing: return TransactionBase(file: OverrideFile())
        case .present(.sound(let file, _), let bytes):
            return TransactionBase(file: file, size: bytes.count, hash: ContentHash(of: bytes))
        case .present(.corrupt(let complaint), let bytes):
            let lastGood = try lastGood(isDamaged: !bytes.isEmpty)
            return TransactionBase(file: lastGood.file, damage: .corrupt(complaint, lastGood.evidence))
        case .present(.newerFormat(let format, _), _): throw .newerFormat(path, format: format)
        case .unreadable(let error):
            guard isClearing, error.code == .tooLarge || error.code == .cannotRead else {
                throw error.code == .tooLarge
                    ? .tooLarge(
                        path, limit: DurableFile.sizeLimit,
                        advice: "Clear all overrides, which keeps it aside, or make it smaller.")
                    : error
            }
            return TransactionBase(file: readableLastGood(isDamaged: true).file, damage: .unreadable(error))
        }
    }

    private var historyMark: HistoryMark? { try? place().history.mark() }

    /// The part of the history that a reader of the file has seen, `nil` for not all: a writer records first, so the
    /// file may not have the last change yet.
    private func seen(_ mark: HistoryMark?, with file: OverrideFile) -> HistoryMark? {
        // Usually there was no change of others, and the history need not be read.
        guard let known = known.withLock({ $0 }), known.history != mark,
            let last = (try? place())?.history.last, last.revision > file.revision
        else { return mark }
        return nil
    }

    private func remember(_ file: OverrideFile, _ history: HistoryMark?, content: [UInt8]? = nil) {
        known.withLock { $0 = KnownFile(file: file, content: content, history: history) }
    }

    /// The overrides in use while the file cannot be read; see ``LastGood``.
    private func lastGood(isDamaged: Bool) throws(StorageError) -> LastGood {
        try LastGood(known: known.withLock { $0 }, history: place().history, isDamaged: isDamaged)
    }

    /// The last good overrides, without the history if that cannot be read.
    private func readableLastGood(isDamaged: Bool) -> LastGood {
        (try? lastGood(isDamaged: isDamaged)) ?? LastGood(known.withLock { $0 })
    }
}

extension OverrideStore {
    /// The override file of the store in a folder.
    package static func path(in directory: String) -> String {
        FilePath.join(FilePath.trimmed(directory), "overrides.json")
    }
}
