import FlagModel
import Platform

/// A path after following the symbolic links in its last part.
struct ResolvedPath: Sendable, Equatable {
    /// The path of the file itself; nothing needs to exist there yet.
    let path: String
    /// The links on the way, the given path first; empty if it is not a link.
    let links: [String]
    /// The status of `path`; `nil` if there is nothing.
    let status: FileStatus?

    /// As many links as Linux follows before it reports a loop (`MAXSYMLINKS` in the kernel).
    private static let linkLimit = 40

    /// Follows links from `start`. A dangling link leads to the place of its missing file.
    ///
    /// Folders on the way are resolved by the system, which follows links among them by itself. For root, a link of
    /// another user that leads to what is not theirs is rejected.
    init(following start: String, files: FileOperations) throws(SystemError) {
        try files.checkLinks(start)
        try self.init(from: start, files: files)
    }

    private init(from start: String, files: FileOperations) throws(SystemError) {
        var path = start
        var links: [String] = []
        var status = try files.statusIfPresent(path)
        while status?.kind == .link {
            guard links.count < Self.linkLimit else { throw SystemError(call: "readlink", code: ELOOP) }
            let link = path
            let target = try uninterrupted { () throws(SystemError) in try files.linkTarget(link) }
            links.append(link)
            path = FilePath.join(FilePath.folder(of: link), FilePath.trimmed(target))
            status = try files.statusIfPresent(path)
        }
        self.path = path
        self.links = links
        self.status = status
    }

    /// Rejects a path on which a link that is not root's leads to what does not belong to the link's owner: with sudo,
    /// a program would otherwise write wherever the owner of a store likes, as the kernel prevents it in `/tmp`
    /// (`protected_symlinks`).
    ///
    /// Between this check and the use of the path its owner may still change it.
    static func refusePlantedLinks(on path: String, files: FileOperations) throws(SystemError) {
        var part = path
        while true {
            if let link = try files.statusIfPresent(part), link.kind == .link, link.owner != 0 {
                let target = try ResolvedPath(from: part, files: files)
                // For a missing file the folder's owner, as it would belong to that.
                let owner =
                    target.status?.owner
                    ?? FileOwner(ofNewFileIn: FilePath.folder(of: target.path), files: files)?.user
                guard owner == link.owner else {
                    throw SystemError(call: "open", code: EPERM, plantedLink: part)
                }
            }
            let folder = FilePath.folder(of: part)
            guard folder != part else { return }
            part = folder
        }
    }
}

extension FileOperations {
    /// The status of `path`, without following a link; `nil` if there is nothing.
    func statusIfPresent(_ path: String) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try uninterrupted { () throws(SystemError) in try statusOfPath(path) }
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// What is at a path, without following a link; `nil` if there is nothing or it is not known.
    func kind(of path: String) -> FileStatus.Kind? { (try? statusIfPresent(path))??.kind }
}
