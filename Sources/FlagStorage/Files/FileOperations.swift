import FlagModel
import Platform

/// The system calls of storage, one closure each, so that a test can inject faults.
///
/// Descriptors and flags are C values, modes are permission bits. No closure retries a call that a signal
/// interrupted; the callers do. A C function with the name of a member is qualified by its module.
package struct FileOperations: Sendable {
    /// The system calls of the operating system.
    package static let live = FileOperations()

    /// `open(path, flags, mode)`: returns a descriptor.
    package var open: @Sendable (_ path: String, _ flags: Int32, _ mode: UInt32) throws(SystemError) -> Int32 = {
        try SystemError.check("open", Platform.open($0, $1, mode_t(truncatingIfNeeded: $2)))
    }
    /// `read`: returns the number of bytes read; 0 at the end.
    package var read:
        @Sendable (_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int = {
            try SystemError.check("read", Platform.read($0, $1.baseAddress, $1.count))
        }
    /// `write`: returns the number of bytes written.
    package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int = {
        try SystemError.check("write", Platform.write($0, $1.baseAddress, $1.count))
    }
    /// `lseek` from the start.
    package var seek: @Sendable (_ descriptor: Int32, _ offset: Int) throws(SystemError) -> Void = {
        try SystemError.check("lseek", lseek($0, off_t($1), SEEK_SET))
    }
    /// `ftruncate` to a length in bytes.
    package var truncate: @Sendable (_ descriptor: Int32, _ length: Int) throws(SystemError) -> Void = {
        try SystemError.check("ftruncate", ftruncate($0, off_t($1)))
    }
    /// `fchmod`.
    package var changeMode: @Sendable (_ descriptor: Int32, _ mode: UInt32) throws(SystemError) -> Void = {
        try SystemError.check("fchmod", fchmod($0, mode_t(truncatingIfNeeded: $1)))
    }
    /// `fsync`; on Apple systems `F_FULLFSYNC`, as `fsync` leaves data in the drive's cache there.
    package var synchronize: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void = {
        descriptor throws(SystemError) in
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) != -1 { return }
        // Network and foreign file systems do not support F_FULLFSYNC; fsync is the best that they have.
        guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else {
            throw SystemError(call: "fcntl(F_FULLFSYNC)", code: errno)
        }
        #endif
        try SystemError.check("fsync", fsync(descriptor))
    }
    /// `flock(LOCK_EX | LOCK_NB)`: returns `false` if another open file has the lock.
    package var lock: @Sendable (_ descriptor: Int32) throws(SystemError) -> Bool = { try locked($0, LOCK_EX) }
    /// `close`.
    package var close: @Sendable (_ descriptor: Int32) throws(SystemError) -> Void = {
        try SystemError.check("close", Platform.close($0))
    }
    /// `fstat`.
    package var status: @Sendable (_ descriptor: Int32) throws(SystemError) -> FileStatus = {
        var raw = stat()
        try SystemError.check("fstat", fstat($0, &raw))
        return FileStatus(raw)
    }
    /// `lstat`: describes a link itself.
    package var statusOfPath: @Sendable (_ path: String) throws(SystemError) -> FileStatus = {
        var raw = stat()
        try SystemError.check("lstat", lstat($0, &raw))
        return FileStatus(raw)
    }
    /// `readlink`.
    package var linkTarget: @Sendable (_ path: String) throws(SystemError) -> String = { path throws(SystemError) in
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = try SystemError.check("readlink", readlink(path, &buffer, buffer.count))
        // With other bytes in place of invalid ones, the target would be another file.
        guard let target = String(validating: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) else {
            throw SystemError(call: "readlink", code: EILSEQ)
        }
        return target
    }
    /// `link`: gives a file a second name; fails with EEXIST if `newPath` exists.
    package var link: @Sendable (_ path: String, _ newPath: String) throws(SystemError) -> Void = {
        try SystemError.check("link", Platform.link($0, $1))
    }
    /// `rename`: replaces `newPath`.
    package var rename: @Sendable (_ path: String, _ newPath: String) throws(SystemError) -> Void = {
        try SystemError.check("rename", Platform.rename($0, $1))
    }
    /// `unlink`.
    package var remove: @Sendable (_ path: String) throws(SystemError) -> Void = {
        try SystemError.check("unlink", unlink($0))
    }
    /// `mkdir`.
    package var makeFolder: @Sendable (_ path: String, _ mode: UInt32) throws(SystemError) -> Void = {
        try SystemError.check("mkdir", mkdir($0, mode_t(truncatingIfNeeded: $1)))
    }
    /// The names in a folder, without `.` and `..`, unordered.
    package var names: @Sendable (_ folder: String) throws(SystemError) -> [String] = { folder throws(SystemError) in
        guard let stream = opendir(folder) else { throw SystemError(call: "opendir", code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError(call: "readdir", code: errno) }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }
    /// `kill(pid, 0)`: whether a process with this id runs.
    package var isRunning: @Sendable (_ processNumber: Int32) -> Bool = { kill($0, 0) == 0 || errno == EPERM }

    /// `flock` without waiting; `false` if another open file has the lock.
    static func locked(_ descriptor: Int32, _ kind: Int32) throws(SystemError) -> Bool {
        if flock(descriptor, kind | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SystemError(call: "flock", code: errno) }
        return false
    }

    /// The status of `path`, without following a link; `nil` if nothing exists there.
    func statusIfPresent(_ path: String) throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try uninterrupted(statusOfPath(path))
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// The kind of the file at a path, without following a link; `nil` if nothing exists there or it cannot be read.
    func kind(of path: String) -> FileStatus.Kind? { (try? statusIfPresent(path))??.kind }

    /// Removes a folder and its content, as far as possible. Links are removed, never followed.
    ///
    /// Only for private folders, where nobody replaces a folder with a link meanwhile.
    package func removeFolderWhole(_ folder: String) {
        for name in (try? names(folder)) ?? [] {
            let path = FilePath.join(folder, name)
            if let status = try? statusIfPresent(path), status.kind == .folder {
                removeFolderWhole(path)
            } else {
                _ = try? remove(path)
            }
        }
        rmdir(folder)
    }
}
