import FlagModel
import Platform

package enum Folders {
    /// Permission bits of a new folder, as the XDG base directory specification requires.
    package static let privateMode: UInt32 = 0o700
    /// Permission bits of a new folder in a repository, from which the umask takes some.
    static let ordinaryMode: UInt32 = 0o777

    /// Creates the folder `path` and missing folders above it, each durably.
    package static func create(_ path: String, mode: UInt32 = privateMode, files: FileOperations) throws(SystemError) {
        do throws(SystemError) {
            try createOne(path, mode, files: files)
        } catch {
            let parent = FilePath.folder(of: path)
            guard error.code == ENOENT, parent != path else { throw error }
            try create(parent, mode: mode, files: files)
            try createOne(path, mode, files: files)
        }
    }

    private static func createOne(_ path: String, _ mode: UInt32, files: FileOperations) throws(SystemError) {
        do throws(SystemError) {
            try uninterrupted(files.makeFolder(path, mode))
        } catch {
            guard error.code == EEXIST else { throw error }
            return
        }
        try synchronize(at: FilePath.folder(of: path), files: files)
    }

    /// Waits until the names in a folder are on disk.
    static func synchronize(at path: String, files: FileOperations) throws(SystemError) {
        let folder = try OpenFile(reading: path, files: files)
        if let error = synchronize(folder) { throw error }
    }

    /// Why no file can be created in a folder: the folder that cannot be written to and the reason; `nil` if a file can
    /// be created. For a missing folder, checks the nearest existing folder above it.
    static func blocker(
        toWritingIn path: String, files: FileOperations
    ) -> (folder: String, cause: SystemError)? {
        var folder = path
        while access(folder, F_OK) != 0, folder != "/", folder != "." {
            guard errno == ENOENT || errno == ENOTDIR else { return (folder, SystemError(call: "access", code: errno)) }
            folder = FilePath.folder(of: folder)
        }
        if let status = DurableFile.status(of: folder, files: files), status.kind != .folder {
            return (folder, SystemError(call: "access", code: ENOTDIR))
        }
        return access(folder, W_OK | X_OK) == 0 ? nil : (folder, SystemError(call: "access", code: errno))
    }

    /// Waits until the names in an open folder are on disk; returns the error, if any.
    static func synchronize(_ folder: borrowing OpenFile) -> SystemError? {
        do throws(SystemError) {
            try folder.synchronize()
            return nil
        } catch {
            // Some network and user-space file systems cannot synchronize a folder; that is not an error.
            return error.code == EINVAL || error.code == ENOTSUP ? nil : error
        }
    }

    /// Removes temporary files of killed writers of `path`. Does nothing if the folder cannot be listed, because such
    /// files do no harm.
    ///
    /// - Parameter isLocked: whether the caller has the lock of `path`. If so, files with this process's id are
    ///   leftovers, too: they are of an ended process that had the same id.
    static func sweep(besides path: String, isLocked: Bool, files: FileOperations) {
        let folder = FilePath.folder(of: path)
        let name = FilePath.name(of: path)
        guard let names = try? files.names(folder) else { return }
        for candidate in names {
            guard let owner = TemporaryName.owner(of: candidate, for: name) else { continue }
            if owner == getpid() ? isLocked : !files.isRunning(owner) {
                _ = try? files.remove(FilePath.join(folder, candidate))
            }
        }
    }
}
