import Platform

/// Whose a file is to be. Where root writes a tester's store, all of it stays the tester's.
struct FileOwner: Sendable, Hashable {
    let user: UInt32
    let group: UInt32

    /// The owner of what `status` describes.
    init(of status: FileStatus) {
        user = status.owner
        group = status.group
    }

    /// The owner that a new file in `folder` is to have: the folder's. `nil` where that cannot be told.
    init?(ofNewFileIn folder: String, files: FileOperations) {
        guard let file = try? OpenFile(reading: folder, files: files), let status = try? file.status() else {
            return nil
        }
        self.init(of: status)
    }
}

extension OpenFile {
    /// Opens `path` and creates it where it is missing, private and for `owner`.
    ///
    /// A file that was there keeps its owner: it may be another's, reached through a second name or a link.
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
            // Another process was faster, and its file is as good.
            guard error.code == EEXIST else { throw error }
            return try OpenFile(path, flags: flags, files: files)
        }
    }

    /// Gives the file to `owner`. Only root may give files away; where nobody may, the file stays whose it is.
    borrowing func give(to owner: FileOwner) throws(SystemError) {
        guard try FileOwner(of: status()) != owner else { return }
        do throws(SystemError) {
            try changeOwner(to: owner.user, group: owner.group)
        } catch {
            guard error.code == EPERM else { throw error }
        }
    }
}
