import FlagModel
import Platform

/// Where a path leads once the symbolic links in its last part are followed.
struct ResolvedPath: Sendable, Equatable {
    /// The place of the file itself; nothing needs to be there yet.
    let path: String
    /// The links on the way, the given path first; empty when it is no link.
    let links: [String]
    /// What stands at `path`; `nil` when nothing does.
    let status: FileStatus?

    /// As many links as Linux follows before it calls them a loop (`MAXSYMLINKS` in the kernel).
    private static let linkLimit = 40

    /// Follows links from `start`. A link to nothing leads to the place where its file would be.
    ///
    /// Folders on the way are left to the system, which follows links among them by itself.
    /// To root a link of another user is refused that leads to what is not theirs.
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

    /// Refuses a path on which a link that is not root's leads to what does not belong to the link's owner: started with sudo, a program
    /// would else write wherever the owner of a store likes, as the kernel prevents it in `/tmp` (`protected_symlinks`).
    ///
    /// Between this look and the use of the path its owner may still change it, unseen.
    static func refusePlantedLinks(on path: String, files: FileOperations) throws(SystemError) {
        var part = path
        while true {
            if let link = try files.statusIfPresent(part), link.kind == .link, link.owner != 0 {
                let target = try ResolvedPath(from: part, files: files)
                // Beside what is not there yet, as that would belong to the folder's owner.
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
    /// The status of `path`, a link itself and not its target; `nil` when nothing is there.
    func statusIfPresent(_ path: String) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try uninterrupted { () throws(SystemError) in try statusOfPath(path) }
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// What is at a path, a symbolic link itself; `nil` if nothing is there or that cannot be told.
    func kind(of path: String) -> FileStatus.Kind? { (try? statusIfPresent(path))??.kind }
}
