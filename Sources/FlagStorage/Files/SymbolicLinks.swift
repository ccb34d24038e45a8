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
            let target = try uninterrupted { () throws(SystemError) in try files.linkTarget(link) }
            path = FilePath.join(FilePath.folder(of: link), FilePath.trimmed(target))
            status = try files.statusIfPresent(path)
        }
        self.path = path
        self.status = status
    }
}

extension DurableFile {
    /// Whether a path itself is a symbolic link, to whatever it leads.
    package static func isLink(_ path: String) -> Bool { FileOperations.live.kind(of: path) == .link }
}

extension FileOperations {
    /// The status of `path`, without following a link; `nil` if nothing exists there.
    func statusIfPresent(_ path: String) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try uninterrupted { () throws(SystemError) in try statusOfPath(path) }
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// The kind of the file at a path, without following a link; `nil` if nothing exists there or it cannot be read.
    func kind(of path: String) -> FileStatus.Kind? { (try? statusIfPresent(path))??.kind }
}
