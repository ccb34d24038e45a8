import Platform

/// An open descriptor that closes itself on every way out.
struct OpenFile: ~Copyable {
    private let files: FileOperations
    /// -1 once closed.
    private var descriptor: Int32

    /// Opens `path`; the descriptor is never inherited by a child process.
    init(_ path: String, flags: Int32, mode: UInt32 = 0, files: FileOperations) throws(SystemError) {
        self.files = files
        descriptor = try uninterrupted { () throws(SystemError) in
            try files.open(path, flags | O_CLOEXEC, mode)
        }
    }

    /// Opens `path` for reading, without waiting for a writer where it is a named pipe.
    init(reading path: String, files: FileOperations) throws(SystemError) {
        try self.init(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, files: files)
    }

    /// Opens a folder called `name` in the open `folder`, and never what a symbolic link leads to.
    init(folder name: String, in folder: borrowing OpenFile, files: FileOperations) throws(SystemError) {
        self.files = files
        let parent = folder.descriptor
        descriptor = try uninterrupted { () throws(SystemError) in
            try files.openIn(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
    }

    deinit {
        // Reached when something else failed already, or nothing was written: that failure is the one to report.
        if descriptor >= 0 { _ = try? files.close(descriptor) }
    }

    /// Closes, and reports what a file system tells only now (a full quota, a lost server).
    ///
    /// Never repeated: the descriptor is gone even where the call was interrupted.
    consuming func close() throws(SystemError) {
        let number = descriptor
        descriptor = -1
        do throws(SystemError) {
            try files.close(number)
        } catch {
            guard error.code == EINTR else { throw error }
        }
    }

    /// What the file system says about the open file.
    func status() throws(SystemError) -> FileStatus {
        try uninterrupted { () throws(SystemError) in try files.status(descriptor) }
    }

    /// The bytes from `offset`; of more than `limit` only `limit` + 1, so that the caller can tell.
    func read(from offset: Int = 0, limit: Int) throws(SystemError) -> [UInt8] {
        try uninterrupted { () throws(SystemError) in try files.seek(descriptor, offset) }
        let expected = max(0, try status().size - offset)
        var bytes = [UInt8](repeating: 0, count: min(limit, expected) + 1)
        var count = 0
        while count <= limit {
            if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: min(count, limit + 1 - count))) }
            let got = try readOnce(into: &bytes, at: count)
            if got == 0 { break }
            count += got
        }
        bytes.removeSubrange(count...)
        return bytes
    }

    private func readOnce(into bytes: inout [UInt8], at start: Int) throws(SystemError) -> Int {
        try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
            let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[start...])
            return try uninterrupted { () throws(SystemError) in try files.read(descriptor, rest) }
        }
    }

    /// Writes all of `bytes`, however many calls that takes.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
            var start = 0
            while start < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[start...])
                let count = try uninterrupted { () throws(SystemError) in try files.write(descriptor, rest) }
                // A file that takes nothing without a reason would be asked for ever.
                guard count > 0 else { throw SystemError(call: "write", code: EIO) }
                start += count
            }
        }
    }

    /// Cuts the file to `length` bytes.
    func truncate(to length: Int) throws(SystemError) {
        try uninterrupted { () throws(SystemError) in try files.truncate(descriptor, length) }
    }

    /// Sets the permission bits, whatever the umask made of them.
    func changeMode(to mode: UInt32) throws(SystemError) {
        try uninterrupted { () throws(SystemError) in try files.changeMode(descriptor, mode) }
    }

    /// Gives the file to another owner, which only root may do.
    func changeOwner(to owner: UInt32, group: UInt32) throws(SystemError) {
        try uninterrupted { () throws(SystemError) in try files.changeOwner(descriptor, owner, group) }
    }

    /// Waits until the content is on the disk.
    func synchronize() throws(SystemError) {
        try uninterrupted { () throws(SystemError) in try files.synchronize(descriptor) }
    }

    /// Takes the file's lock; `false` when another open file holds it.
    func lock() throws(SystemError) -> Bool {
        try uninterrupted { () throws(SystemError) in try files.lock(descriptor) }
    }
}
