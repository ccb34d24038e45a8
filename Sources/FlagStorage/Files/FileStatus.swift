import Platform

/// The file system's status of one file.
package struct FileStatus: Sendable, Hashable {
    /// The kind of a file; the raw value completes a sentence such as "the path is".
    package enum Kind: String, Sendable {
        /// A file with bytes.
        case regular = "a regular file"
        case folder = "a directory"
        /// A symbolic link, if links were not followed.
        case link = "a symbolic link"
        case pipe = "a named pipe"
        case socket = "a socket"
        /// A character or block device.
        case device = "a device"
    }

    package var kind: Kind
    /// Permission bits, `0o7777` at most.
    package var mode: UInt32
    /// The owner's user number.
    package var owner: UInt32
    /// Length in bytes.
    package var size: Int
    /// Last change of the content, in nanoseconds since 1970 UTC.
    package var modified: Int64
    package var inode: UInt64
    /// The file system's number.
    package var device: UInt64

    /// The result of `stat`, `lstat` or `fstat`.
    init(_ raw: stat) {
        kind = Self.kind(of: UInt32(raw.st_mode))
        mode = UInt32(raw.st_mode) & 0o7777
        owner = raw.st_uid
        size = Int(raw.st_size)
        modified = raw.modifiedNanoseconds
        inode = UInt64(truncatingIfNeeded: raw.st_ino)
        device = UInt64(truncatingIfNeeded: raw.st_dev)
    }

    private static func kind(of mode: UInt32) -> Kind {
        switch mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): .regular
        case UInt32(S_IFDIR): .folder
        case UInt32(S_IFLNK): .link
        case UInt32(S_IFIFO): .pipe
        case UInt32(S_IFSOCK): .socket
        default: .device
        }
    }

    /// Whether both are the status of the same file, under any name.
    package func isSameFile(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }
}
