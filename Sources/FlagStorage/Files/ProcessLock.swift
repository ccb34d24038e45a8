import FlagModel
import Platform

/// A lock that a process has for as long as it runs, such as a server that must run only once.
///
/// Like ``StoreLock``, it uses `flock` on a file that is never renamed or removed, so the kernel releases it if the process
/// dies. Unlike it, nobody waits for it.
package final class ProcessLock: Sendable {
    private let file: OpenFile

    /// Locks the file `path`, creating it and its folder if they are missing.
    ///
    /// - Returns: `nil` if another process has the lock.
    /// - Throws: `notAFile`, or why the file could not be opened.
    package init?(_ path: String, files: FileOperations = .live) throws(StorageError) {
        let folder = FilePath.folder(of: path)
        try StorageError.writing(path) { () throws(SystemError) in try Folders.create(folder, files: files) }
        let owner = FileOwner(ofNewFileIn: folder, files: files)
        guard let file = try StoreLock.attempt(path, protecting: path, owner: owner, files: files) else { return nil }
        self.file = file
    }
}
