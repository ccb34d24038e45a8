/// The system calls that storage makes, one closure each, so that a test can let any of them fail.
///
/// Descriptors and flags are the C ones, modes are permission bits. No closure repeats a call that a signal interrupted;
/// the callers do.
public struct FileOperations: Sendable {
    /// `open(path, flags, mode)`: a descriptor.
    public var open: @Sendable (_ path: String, _ flags: Int32, _ mode: UInt32) throws(SystemError) -> Int32
    /// `read`: how many bytes came; 0 at the end.
    public var read: @Sendable (_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
    /// `write`: how many bytes went.
    public var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
    /// `lseek` from the start.
    public var seek: @Sendable (_ descriptor: Int32, _ offset: Int) throws(SystemError) -> Void
    /// `ftruncate` to a length in bytes.
    public var truncate: @Sendable (_ descriptor: Int32, _ length: Int) throws(SystemError) -> Void
    /// `fchmod`.
    public var changeMode: @Sendable (_ descriptor: Int32, _ mode: UInt32) throws(SystemError) -> Void
    /// `fchown`.
    public var changeOwner:
        @Sendable (_ descriptor: Int32, _ owner: UInt32, _ group: UInt32) throws(SystemError) -> Void
    /// `fsync`; on Apple systems `F_FULLFSYNC`, as `fsync` leaves data in the drive's cache there.
    public var synchronize: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void
    /// `flock(LOCK_EX | LOCK_NB)`: `false` when another open file holds the lock.
    public var lock: @Sendable (_ descriptor: Int32) throws(SystemError) -> Bool
    /// `close`.
    public var close: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void
    /// `fstat`.
    public var status: @Sendable (_ descriptor: Int32) throws(SystemError) -> FileStatus
    /// `lstat`: a link is described itself.
    public var statusOfPath: @Sendable (_ path: String) throws(SystemError) -> FileStatus
    /// `readlink`.
    public var linkTarget: @Sendable (_ path: String) throws(SystemError) -> String
    /// `link`: a second name for a file; fails with EEXIST rather than replace.
    public var link: @Sendable (_ path: String, _ newPath: String) throws(SystemError) -> Void
    /// `rename`: replaces what stands at `newPath`.
    public var rename: @Sendable (_ path: String, _ newPath: String) throws(SystemError) -> Void
    /// `unlink`.
    public var remove: @Sendable (_ path: String) throws(SystemError) -> Void
    /// `mkdir`.
    public var makeFolder: @Sendable (_ path: String, _ mode: UInt32) throws(SystemError) -> Void
    /// The names in a folder, without `.` and `..`, in no order.
    public var names: @Sendable (_ folder: String) throws(SystemError) -> [String]
    /// `kill(pid, 0)`: whether a process of this number runs.
    public var isRunning: @Sendable (_ processNumber: Int32) -> Bool
    /// Waits; only between attempts to get a lock.
    public var pause: @Sendable (_ time: Duration) -> Void
}
