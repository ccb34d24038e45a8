import Platform

/// The owner of a file. If root writes a tester's store, all of it stays the tester's.
struct FileOwner: Sendable, Hashable {
    let user: UInt32
    let group: UInt32

    /// The owner in a `status`.
    init(of status: FileStatus) {
        user = status.owner
        group = status.group
    }

    /// The owner of a new file in `folder`: the folder's. `nil` if it is not known.
    init?(ofNewFileIn folder: String, files: FileOperations) {
        guard let file = try? OpenFile(reading: folder, files: files), let status = try? file.status() else {
            return nil
        }
        self.init(of: status)
    }
}

extension OpenFile {
    /// Opens `path`, or creates it if it is missing, private and for `owner`.
    ///
    /// An existing file keeps its owner: it may be someone else's, reached through a second name or a link.
    static func openOrCreate(
        _ path: String, flags: Int32, owner: FileOwner?, files: FileOperations
    ) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(path, flags: flags, files: files)
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        do throws(SystemError) {
            let creating = flags | O_CREAT | O_EXCL
            let file = try OpenFile(path, flags: creating, mode: FileReplacement.privateMode, files: files)
            if let owner { try file.give(to: owner) }
            return file
        } catch {
            // Another process created it first, which is fine.
            guard error.code == EEXIST else { throw error }
            return try OpenFile(path, flags: flags, files: files)
        }
    }

    /// Gives the file to `owner`. Only root may do that; for others the file keeps its owner.
    borrowing func give(to owner: FileOwner) throws(SystemError) {
        guard try FileOwner(of: status()) != owner else { return }
        do throws(SystemError) {
            try changeOwner(to: owner.user, group: owner.group)
        } catch {
            guard error.code == EPERM else { throw error }
        }
    }
}
