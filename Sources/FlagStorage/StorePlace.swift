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
    /// There is no file, but maybe contexts of an earlier version.
    case missing(OverrideFile, issues: [String])
    /// The parsed file, and its bytes.
    case present(OverrideFileReading, [UInt8])
    case unreadable(StorageError)

    init(_ path: String, files: FileOperations) {
        do throws(StorageError) {
            let bytes = try DurableFile.read(path, files: files)
            let reading = bytes.map { OverrideFileReading($0) }
            guard case .sound(var file, var issues) = reading ?? .sound(OverrideFile(isOfFormat1: true), issues: []),
                file.isOfFormat1
            else {
                self = reading.map { .present($0, bytes ?? []) } ?? .missing(OverrideFile(), issues: [])
                return
            }
            let former = FormerContexts(beside: path, files: files).read()
            file.contexts = former.contexts
            issues += [former.issue].compactMap { $0 }
            self = bytes.map { .present(.sound(file, issues: issues), $0) } ?? .missing(file, issues: issues)
        } catch {
            self = .unreadable(error)
        }
    }
}
