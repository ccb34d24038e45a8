/// Size, time and inode of a file, to detect changes without reading the file; all `nil` without a file.
struct FileSignature: Sendable, Hashable {
    private let size: Int?
    private let modified: Int64?
    private let inode: UInt64?

    /// The signature of the file that `path` leads to.
    init(of path: String, files: FileOperations) {
        let status = (try? ResolvedPath(following: path, files: files))?.status
        size = status?.size
        modified = status?.modified
        inode = status?.inode
    }
}

/// The files of a store at one moment, to detect changes without reading them. Each write of a store makes the history
/// longer; a change by hand changes the override file.
package struct StoreSignature: Sendable, Hashable {
    let file: FileSignature
    let history: HistoryMark?
}
