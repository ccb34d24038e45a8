import FlagModel

extension DurableFile {
    /// Whether two paths lead to the same file, also through symbolic or hard links, or to the same missing file.
    /// `false` if a path cannot be checked.
    package static func isSame(_ path: String, _ other: String, files: FileOperations = .live) -> Bool {
        guard let left = try? ResolvedPath(following: path, files: files),
            let right = try? ResolvedPath(following: other, files: files)
        else { return false }
        if let leftStatus = left.status, let rightStatus = right.status {
            return leftStatus.isSameFile(as: rightStatus)
        }
        guard left.status == nil, right.status == nil, FilePath.name(of: left.path) == FilePath.name(of: right.path)
        else { return false }
        let folders = [left.path, right.path].map { FilePath.folder(of: $0) }
        if folders[0] == folders[1] { return true }
        let statuses = folders.compactMap { try? ResolvedPath(following: $0, files: files).status }
        return statuses.count == 2 && statuses[0].isSameFile(as: statuses[1])
    }
}
