import FlagModel
import Platform

/// A lock that a process has for as long as it runs, such as a server that must run only once.
///
/// Like ``StoreLock``, it uses `flock` on a file that is never renamed or removed, so the kernel releases it if the process
/// dies. Unlike it, nobody waits for a process that has it, but only for the end of one that was killed.
package final class ProcessLock: Sendable {
    private let file: OpenFile

    /// How long the kernel may take to release the lock of a process that was killed, with time to spare.
    package static let releaseTime = Duration.seconds(1)
    private static let pause = Duration.milliseconds(20)

    /// Locks the file `path`, creating it and its folder if they are missing.
    ///
    /// - Returns: `nil` if another process has the lock, and does not release it within ``releaseTime``.
    /// - Throws: `notAFile`, or why the file could not be opened.
    package init?(_ path: String, files: FileOperations = .live) throws(StorageError) {
        let folder = FilePath.folder(of: path)
        try StorageError.duringWrite(of: path, Folders.create(folder, files: files))
        let end = ContinuousClock.now + Self.releaseTime
        while true {
            if let file = try StoreLock.attempt(path, protecting: path, files: files) {
                self.file = file
                return
            }
            guard ContinuousClock.now < end else { return nil }
            files.pause(Self.pause)
        }
    }

    /// Whether a process has the lock of the file `path`; `false` if the file is missing or cannot be opened. Others who
    /// check at the same time do not count.
    package static func isLocked(_ path: String, files: FileOperations = .live) -> Bool {
        guard files.kind(of: path) == .regular else { return false }
        do throws(SystemError) {
            return try !OpenFile(reading: path, files: files).lockShared()
        } catch {
            return false
        }
    }
}
