/// Size, time and inode of a file, to detect changes without reading the file; all `nil` without a file.
struct FileSignature: Sendable, Equatable {
    private let size: Int?
    private let modified: Int64?
    private let inode: UInt64?

    /// The signature of the file that `path` leads to.
    init(of path: String, files: FileOperations) {
        self.init((try? ResolvedPath(following: path, files: files))?.status)
    }

    init(_ status: FileStatus?) {
        size = status?.size
        modified = status?.modified
        inode = status?.inode
    }
}
