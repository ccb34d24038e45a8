import FlagModel

/// The files of a store, beside the one that the store's path leads to.
struct StorePlace: Sendable {
    /// Where the override file is, and what stands there.
    let resolved: ResolvedPath
    let history: HistoryFile

    /// Locked by writers; never renamed or removed.
    static let lockName = "overrides.lock"

    /// The override file itself, no symbolic link.
    var file: String { resolved.path }
    /// What stands there; `nil` when nothing does.
    var kind: FileStatus.Kind? { resolved.status?.kind }
    /// The folder that all of them are in.
    var folder: String { FilePath.folder(of: file) }
    var lock: String { FilePath.join(folder, Self.lockName) }

    init(following path: String, files: FileOperations) throws(SystemError) {
        resolved = try ResolvedPath(following: path, files: files)
        history = HistoryFile(path: FilePath.join(FilePath.folder(of: resolved.path), "history.jsonl"), files: files)
    }
}

/// What stands in the override file's place.
enum StoredContent: Sendable {
    case missing
    /// The file, and the bytes that this was understood from.
    case present(OverrideFileReading, [UInt8])
    case unreadable(StorageError)

    /// Reads what is there.
    ///
    /// - Parameter known: what was there before. The same bytes are not looked through again, which takes a fifth of the
    ///   time of a write among 10,000 overrides; the problems in them have been told by then.
    init(_ path: String, files: FileOperations, known: KnownFile? = nil) {
        do throws(StorageError) {
            guard let bytes = try DurableFile.read(path, files: files) else {
                self = .missing
                return
            }
            let same = known.flatMap { $0.content == bytes ? $0.file : nil }
            self = .present(same.map { .sound($0, problems: []) } ?? OverrideFileReading(bytes), bytes)
        } catch {
            self = .unreadable(error)
        }
    }
}
