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
enum StoredContent: Sendable, Equatable {
    /// The valid file, a sentence for each invalid entry, and its bytes. The bytes are `nil` if there is no file, but
    /// maybe contexts of an earlier version.
    case sound(OverrideFile, issues: [String], [UInt8]?)
    /// A file of a newer version of FlagMenu: its format, and the parts that could be parsed.
    case newerFormat(Int, OverrideFile)
    /// Not an override file: why, with line and column, and its bytes.
    case corrupt(String, [UInt8])
    case unreadable(StorageError)

    init(_ path: String, files: FileOperations) {
        do throws(StorageError) {
            let bytes = try DurableFile.read(path, files: files)
            self = bytes.map { StoredContent(parsing: $0) } ?? .sound(OverrideFile(isOfFormat1: true), issues: [], nil)
        } catch {
            self = .unreadable(error)
        }
        guard case .sound(var file, let issues, let bytes) = self, file.isOfFormat1 else { return }
        let former = FormerContexts(beside: path, files: files).read()
        file.contexts = former.contexts
        self = .sound(file, issues: issues + [former.issue].compactMap { $0 }, bytes)
    }

    /// The revision of the file; `nil` if the file is missing, cannot be read or has no revision.
    var revision: Int? {
        switch self {
        case .sound(let file, _, _), .newerFormat(_, let file): file.revision == 0 ? nil : file.revision
        case .corrupt, .unreadable: nil
        }
    }
}
