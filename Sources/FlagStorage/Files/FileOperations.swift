/// The system calls of storage, one closure each, so that a test can inject faults.
///
/// Descriptors and flags are C values, modes are permission bits. No closure retries a call that a signal
/// interrupted; the callers do.
package struct FileOperations: Sendable {
    /// `open(path, flags, mode)`: returns a descriptor.
    package var open: @Sendable (_ path: String, _ flags: Int32, _ mode: UInt32) throws(SystemError) -> Int32
    /// `read`: returns the number of bytes read; 0 at the end.
    package var read:
        @Sendable (_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
    /// `write`: returns the number of bytes written.
    package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
    /// `lseek` from the start.
    package var seek: @Sendable (_ descriptor: Int32, _ offset: Int) throws(SystemError) -> Void
    /// `ftruncate` to a length in bytes.
    package var truncate: @Sendable (_ descriptor: Int32, _ length: Int) throws(SystemError) -> Void
    /// `fchmod`.
    package var changeMode: @Sendable (_ descriptor: Int32, _ mode: UInt32) throws(SystemError) -> Void
    /// `fsync`; on Apple systems `F_FULLFSYNC`, as `fsync` leaves data in the drive's cache there.
    package var synchronize: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void
    /// `flock(LOCK_EX | LOCK_NB)`: returns `false` if another open file has the lock.
    package var lock: @Sendable (_ descriptor: Int32) throws(SystemError) -> Bool
    /// `flock(LOCK_SH | LOCK_NB)`: returns `false` if another open file has the lock for itself.
    package var lockShared: @Sendable (_ descriptor: Int32) throws(SystemError) -> Bool
    /// `close`.
    package var close: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void
    /// `fstat`.
    package var status: @Sendable (_ descriptor: Int32) throws(SystemError) -> FileStatus
    /// `lstat`: describes a link itself.
    package var statusOfPath: @Sendable (_ path: String) throws(SystemError) -> FileStatus
    /// `readlink`.
    package var linkTarget: @Sendable (_ path: String) throws(SystemError) -> String
    /// `link`: gives a file a second name; fails with EEXIST if `newPath` exists.
    package var link: @Sendable (_ path: String, _ newPath: String) throws(SystemError) -> Void
    /// `rename`: replaces `newPath`.
    package var rename: @Sendable (_ path: String, _ newPath: String) throws(SystemError) -> Void
    /// `unlink`.
    package var remove: @Sendable (_ path: String) throws(SystemError) -> Void
    /// `rmdir`: removes an empty folder.
    package var removeFolder: @Sendable (_ path: String) throws(SystemError) -> Void
    /// `mkdir`.
    package var makeFolder: @Sendable (_ path: String, _ mode: UInt32) throws(SystemError) -> Void
    /// The names in a folder, without `.` and `..`, unordered.
    package var names: @Sendable (_ folder: String) throws(SystemError) -> [String]
    /// `kill(pid, 0)`: whether a process with this id runs.
    package var isRunning: @Sendable (_ processNumber: Int32) -> Bool
    /// Waits between attempts to get a lock.
    package var pause: @Sendable (_ time: Duration) -> Void
}
