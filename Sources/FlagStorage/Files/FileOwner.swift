import Platform

/// The owner of a file. If root writes to a tester's store, all files still belong to the tester.
struct FileOwner: Sendable, Hashable {
    let user: UInt32
    let group: UInt32

    /// The owner in a `status`.
    init(of status: FileStatus) {
        user = status.owner
        group = status.group
    }

    /// The owner of a new file in `folder`: the owner of the folder; `nil` if the folder cannot be opened.
    init?(ofNewFileIn folder: String, files: FileOperations) {
        guard let file = try? OpenFile(reading: folder, files: files), let status = try? file.status() else {
            return nil
        }
        self.init(of: status)
    }
}

extension OpenFile {
    /// Opens `path`, or creates a private file for `owner` if it is missing.
    ///
    /// The owner of an existing file stays, because `path` may be a second name of another user's file, or a link to
    /// it.
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
            // Another process created the file first.
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
