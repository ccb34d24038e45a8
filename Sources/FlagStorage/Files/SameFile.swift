import FlagModel

extension DurableFile {
    /// Whether two paths lead to one file, through links or by a second name; also if neither exists yet and both would
    /// be the same. If a path cannot be checked, it is not the same file.
    package static func isSame(_ path: String, _ other: String, files: FileOperations = .live) -> Bool {
        guard let one = try? ResolvedPath(following: path, files: files),
            let two = try? ResolvedPath(following: other, files: files)
        else { return false }
        if let first = one.status, let second = two.status { return first.isSameFile(as: second) }
        guard one.status == nil, two.status == nil, FilePath.name(of: one.path) == FilePath.name(of: two.path) else {
            return false
        }
        let folders = [one.path, two.path].map { FilePath.folder(of: $0) }
        if folders[0] == folders[1] { return true }
        let statuses = folders.compactMap { try? ResolvedPath(following: $0, files: files).status }
        return statuses.count == 2 && statuses[0].isSameFile(as: statuses[1])
    }
}
