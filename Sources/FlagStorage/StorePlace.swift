import FlagModel

/// The files of a store. All are in the folder of the override file, after links are resolved.
struct StorePlace: Sendable {
    /// The path of the override file, and its status.
    let resolved: ResolvedPath
    let history: HistoryFile

    /// The name of the file that writers lock; it is never renamed or removed.
    static let lockName = "overrides.lock"

    /// The path of the override file, with links resolved.
    var file: String { resolved.path }
    /// The kind of the override file; `nil` if nothing exists at its path.
    var kind: FileStatus.Kind? { resolved.status?.kind }
    /// The folder of all files.
    var folder: String { FilePath.folder(of: file) }
    var lock: String { FilePath.join(folder, Self.lockName) }

    init(following path: String, files: FileOperations) throws(SystemError) {
        resolved = try ResolvedPath(following: path, files: files)
        history = HistoryFile(path: FilePath.join(FilePath.folder(of: resolved.path), "history.jsonl"), files: files)
    }
}

/// The content of the override file.
enum StoredContent: Sendable {
    case missing
    /// The parsed file, and its bytes.
    case present(OverrideFileReading, [UInt8])
    case unreadable(StorageError)

    /// Reads the file.
    ///
    /// - Parameter known: the previous content. The same bytes are not parsed again, which saves a fifth of the time of
    ///   a write among 10,000 overrides. Their issues were reported before and are left out.
    init(_ path: String, files: FileOperations, known: KnownFile? = nil) {
        do throws(StorageError) {
            guard let bytes = try DurableFile.read(path, files: files) else {
                self = .missing
                return
            }
            let unchangedFile = known.flatMap { $0.content == bytes ? $0.file : nil }
            self = .present(unchangedFile.map { .sound($0, issues: []) } ?? OverrideFileReading(bytes), bytes)
        } catch {
            self = .unreadable(error)
        }
    }
}
