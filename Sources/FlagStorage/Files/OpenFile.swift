import Platform

/// An open descriptor that is closed automatically.
package struct OpenFile: ~Copyable {
    private let files: FileOperations
    /// The C descriptor; -1 after the file is closed.
    private var descriptor: Int32

    /// Opens `path`; the descriptor is never inherited by a child process.
    package init(_ path: String, flags: Int32, mode: UInt32 = 0, files: FileOperations) throws(SystemError) {
        self.files = files
        descriptor = try uninterrupted(files.open(path, flags | O_CLOEXEC, mode))
    }

    /// Opens `path` for reading, without waiting for a writer if it is a named pipe.
    init(reading path: String, files: FileOperations) throws(SystemError) {
        try self.init(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, files: files)
    }

    /// Opens `path`, or creates a private file if it is missing.
    static func openOrCreate(_ path: String, flags: Int32, files: FileOperations) throws(SystemError) -> OpenFile {
        try OpenFile(path, flags: flags | O_CREAT, mode: FileReplacement.privateMode, files: files)
    }

    /// Creates a private file and locks it; `nil` if another process was faster with the lock, and removes the file.
    package static func createLocked(_ path: String, files: FileOperations) throws(SystemError) -> OpenFile? {
        let file = try OpenFile(
            path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: FileReplacement.privateMode, files: files)
        // The other process may also have removed the file before it was locked here. With the lock, the file stays.
        if try file.lock(), let named = try files.statusIfPresent(path), try file.status().isSameFile(as: named) {
            return file
        }
        _ = try? files.remove(path)
        return nil
    }

    deinit {
        // An error of closing is ignored: an earlier error was reported, or nothing was written.
        if descriptor >= 0 { _ = try? files.close(descriptor) }
    }

    /// Closes the file. Throws errors that file systems report only at this time, such as a full quota or a lost
    /// server.
    ///
    /// Does not retry an interrupted call, because that call has closed the descriptor, too.
    consuming func close() throws(SystemError) {
        let number = descriptor
        descriptor = -1
        do throws(SystemError) {
            try files.close(number)
        } catch {
            guard error.code == EINTR else { throw error }
        }
    }

    /// The status of the open file.
    package func status() throws(SystemError) -> FileStatus {
        try uninterrupted(files.status(descriptor))
    }

    /// Reads the bytes from `offset`, at most `limit` + 1. The additional byte tells the caller that there are more
    /// than `limit`.
    package func read(from offset: Int = 0, limit: Int) throws(SystemError) -> [UInt8] {
        try uninterrupted(files.seek(descriptor, offset))
        let expected = max(0, try status().size - offset)
        var bytes: [UInt8] = []
        var room = min(limit, expected) + 1
        while room > 0 {
            let part = try readPart(upTo: room)
            bytes = bytes.isEmpty ? part : bytes + part
            // A full part may not be the last: the file has grown, or is one that does not know its size.
            room = part.count < room ? 0 : min(bytes.count, limit + 1 - bytes.count)
        }
        return bytes
    }

    /// Reads until there are `count` bytes, or no more. Memory that is not filled with zeros first saves a large file's
    /// reader a pass over it.
    private func readPart(upTo count: Int) throws(SystemError) -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, readCount throws(SystemError) in
            while readCount < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[readCount...])
                let newCount = try uninterrupted(files.read(descriptor, rest))
                if newCount == 0 { break }
                readCount += newCount
            }
        }
    }

    /// Writes all of `bytes`, in as many calls as necessary.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
            var start = 0
            while start < buffer.count {
                let unwritten = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[start...])
                let count = try uninterrupted(files.write(descriptor, unwritten))
                // Without this error, a file that accepts no bytes would lead to an endless loop.
                guard count > 0 else { throw SystemError(call: "write", code: EIO) }
                start += count
            }
        }
    }

    /// Truncates the file to `length` bytes.
    func truncate(to length: Int) throws(SystemError) {
        try uninterrupted(files.truncate(descriptor, length))
    }

    /// Sets the permission bits, regardless of the umask.
    func changeMode(to mode: UInt32) throws(SystemError) {
        try uninterrupted(files.changeMode(descriptor, mode))
    }

    /// Waits until the content is on disk.
    func synchronize() throws(SystemError) {
        try uninterrupted(files.synchronize(descriptor))
    }

    /// Locks the file, without waiting; returns `false` if another open file has the lock.
    func lock() throws(SystemError) -> Bool {
        try uninterrupted(files.lock(descriptor))
    }

    /// Locks the file together with other readers, without waiting; returns `false` if a writer has the lock.
    package func lockShared() throws(SystemError) -> Bool {
        try uninterrupted(FileOperations.locked(descriptor, LOCK_SH))
    }
}
