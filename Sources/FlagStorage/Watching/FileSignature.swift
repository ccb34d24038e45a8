/// Distinguishes two contents of a file without reading it; `nil` parts if there is no file.
struct FileSignature: Sendable, Equatable {
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
