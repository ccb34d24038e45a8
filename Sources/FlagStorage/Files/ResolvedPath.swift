import FlagModel
import Platform

/// A path after following the symbolic links in its last part.
struct ResolvedPath: Sendable, Equatable {
    /// The path after following all links; the file may not exist yet.
    let path: String
    /// The status of `path`; `nil` if nothing exists there.
    let status: FileStatus?

    /// The number of links that Linux follows before it reports a loop (`MAXSYMLINKS` in the kernel).
    static let linkLimit = 40

    /// Follows links from `start`. A dangling link leads to the path of the missing file.
    ///
    /// Folders in a path may be links, too; the system resolves such links.
    init(following start: String, files: FileOperations) throws(SystemError) {
        var path = start
        var linkCount = 0
        var status = try files.statusIfPresent(path)
        while status?.kind == .link {
            guard linkCount < Self.linkLimit else { throw SystemError(call: "readlink", code: ELOOP) }
            linkCount += 1
            let link = path
            let target = try uninterrupted(files.linkTarget(link))
            path = FilePath.join(FilePath.folder(of: link), FilePath.trimmed(target))
            status = try files.statusIfPresent(path)
        }
        (self.path, self.status) = (path, status)
    }
}
