import FlagModel

/// The files of a store, beside the target of the store's path.
struct StorePlace: Sendable {
    /// The path of the override file, and its status.
    let resolved: ResolvedPath
    let history: HistoryFile

    /// Locked by writers; never renamed or removed.
    static let lockName = "overrides.lock"

    /// The override file itself, with links resolved.
    var file: String { resolved.path }
    /// The kind of file; `nil` if there is nothing.
    var kind: FileStatus.Kind? { resolved.status?.kind }
    /// The folder of all files.
    var folder: String { FilePath.folder(of: file) }
    var lock: String { FilePath.join(folder, Self.lockName) }

    init(following path: String, files: FileOperations) throws(SystemError) {
        resolved = try ResolvedPath(following: path, files: files)
        history = HistoryFile(path: FilePath.join(FilePath.folder(of: resolved.path), "history.jsonl"), files: files)
    }
}

/// The content of the override file's path.
enum StoredContent: Sendable {
    case missing
    /// The file, and the bytes that it was parsed from.
    case present(OverrideFileReading, [UInt8])
    case unreadable(StorageError)

    /// Reads the path.
    ///
    /// - Parameter known: the previous content. The same bytes are not checked again, which takes a fifth of the time
    ///   of a write among 10,000 overrides; their errors have been reported by then.
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
