import FlagModel
import Platform

/// A ``StoreLock`` that a process has for as long as it runs, such as a server that must run only once. Nobody waits for
/// a process that has it, but only for the end of one that was killed.
package final class ProcessLock: Sendable {
    private let lock: StoreLock

    /// How long the kernel may take to release the lock of a process that was killed, with time to spare.
    package static let releaseTime = Duration.seconds(1)

    /// Locks the file `path`, creating it and its folder if they are missing.
    ///
    /// - Returns: `nil` if another process has the lock, and does not release it within ``releaseTime``.
    /// - Throws: `notAFile`, or why the file could not be opened.
    package init?(_ path: String, files: FileOperations = .live) throws(StorageError) {
        let folder = FilePath.folder(of: path)
        try StorageError.duringWrite(of: path, Folders.create(folder, files: files))
        do throws(StorageError) {
            lock = try StoreLock(path, protecting: path, timeout: Self.releaseTime, files: files)
        } catch {
            if error.code == .lockTimeout { return nil }
            throw error
        }
    }

    /// Whether a process has the lock of the file `path`; `false` if the file is missing or cannot be opened. Others who
    /// check at the same time do not count.
    package static func isLocked(_ path: String, files: FileOperations = .live) -> Bool {
        files.kind(of: path) == .regular && (try? OpenFile(reading: path, files: files).lockShared()) == false
    }
}
