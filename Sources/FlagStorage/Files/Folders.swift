import FlagModel
import Platform

/// What storage does to folders.
enum Folders {
    /// Permission bits of a folder that is created, as the XDG base directory specification asks for.
    private static let privateMode: UInt32 = 0o700

    /// Creates `path` and the folders above it that are missing, each entered durably in the one above and given to its
    /// owner where the system permits.
    static func create(_ path: String, files: FileOperations) throws(SystemError) {
        do throws(SystemError) {
            try createOne(path, files: files)
        } catch {
            let parent = FilePath.folder(of: path)
            guard error.code == ENOENT, parent != path else { throw error }
            try create(parent, files: files)
            try createOne(path, files: files)
        }
    }

    private static func createOne(_ path: String, files: FileOperations) throws(SystemError) {
        do throws(SystemError) {
            try uninterrupted { () throws(SystemError) in try files.makeFolder(path, privateMode) }
        } catch {
            guard error.code == EEXIST else { throw error }
            return
        }
        let parent = try OpenFile(reading: FilePath.folder(of: path), files: files)
        // Looked up in the open parent: in somebody else's folder a path may lead elsewhere a moment later.
        let folder = try OpenFile(folder: FilePath.name(of: path), in: parent, files: files)
        try folder.give(to: FileOwner(of: parent.status()))
        if let error = synchronize(parent) { throw error }
    }

    /// Why no file can be made in a folder, which is created where it is missing: the folder that does not take one, be it
    /// one above, and the reason; `nil` where nothing hinders.
    static func obstacle(
        toWritingIn path: String, files: FileOperations
    ) -> (folder: String, cause: SystemError)? {
        var folder = path
        while access(folder, F_OK) != 0, folder != "/", folder != "." { folder = FilePath.folder(of: folder) }
        if let status = (try? ResolvedPath(following: folder, files: files))?.status, status.kind != .folder {
            return (folder, SystemError(call: "access", code: ENOTDIR))
        }
        return access(folder, W_OK | X_OK) == 0 ? nil : (folder, SystemError(call: "access", code: errno))
    }

    /// Waits until the names in an open folder are on the disk; the failure, where there is one.
    static func synchronize(_ folder: borrowing OpenFile) -> SystemError? {
        do throws(SystemError) {
            try folder.synchronize()
            return nil
        } catch {
            // File systems without such a request (some network and user-space ones) answer so, and do what they do.
            return error.code == EINVAL || error.code == ENOTSUP ? nil : error
        }
    }

    /// Removes what killed writers of `path` left beside it. A folder that cannot be listed keeps its leftovers; they do no harm.
    ///
    /// - Parameters:
    ///   - isLocked: whether the caller holds the lock of `path`. Then nobody else is writing, and what bears this process's own
    ///     number is old as well, as numbers are used again.
    ///   - ownProcess: this process's number.
    static func sweep(besides path: String, isLocked: Bool, ownProcess: Int32 = getpid(), files: FileOperations) {
        let folder = FilePath.folder(of: path)
        let name = FilePath.name(of: path)
        guard let names = try? files.names(folder) else { return }
        for candidate in names {
            guard let owner = TemporaryName.owner(of: candidate, for: name) else { continue }
            if owner == ownProcess ? isLocked : !files.isRunning(owner) {
                _ = try? files.remove(FilePath.join(folder, candidate))
            }
        }
    }
}
