import FlagModel

/// The files of a store, beside the one that the store's path leads to.
struct StorePlace: Sendable {
    /// The override file itself, no symbolic link.
    let file: String
    /// What stands there; `nil` when nothing does.
    let kind: FileStatus.Kind?
    /// Whose that is.
    private let fileOwner: FileOwner?
    let history: HistoryFile

    /// The folder that all of them are in.
    var folder: String { FilePath.folder(of: file) }
    /// Locked by writers; never renamed or removed.
    var lock: String { FilePath.join(folder, "overrides.lock") }

    init(following path: String, files: FileOperations) throws(SystemError) {
        let resolved = try ResolvedPath(following: path, files: files)
        file = resolved.path
        kind = resolved.status?.kind
        fileOwner = resolved.status.map(FileOwner.init)
        history = HistoryFile(path: FilePath.join(FilePath.folder(of: file), "history.jsonl"), files: files)
    }
}

extension StorePlace {
    /// Whose lock and history are to be: the override file's owner, else the folder's.
    func owner(files: FileOperations) -> FileOwner? { fileOwner ?? FileOwner(ofNewFileIn: folder, files: files) }
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
