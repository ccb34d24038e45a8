import FlagModel
import Platform

/// The lock for writing a store, owned by one open file at a time on this machine, and released by `deinit`.
///
/// Uses `flock` on a separate file that is never renamed or removed. The store's file cannot serve as the lock, because
/// each write replaces that file. The kernel releases the lock if the process dies. Readers need no lock.
struct StoreLock: ~Copyable {
    private let file: OpenFile

    /// The maximum wait for other writers. A write takes milliseconds, so hundreds of other writers can finish in this
    /// time.
    static let timeout: Duration = .seconds(10)

    /// Waits for the lock file `path`, creating it if it is missing.
    ///
    /// - Parameters:
    ///   - store: the file that the lock protects, for error messages.
    /// - Throws: `lockTimeout` with the process that has the lock, `notAFile`, or why the lock file could not be
    ///   opened.
    init(
        _ path: String, protecting store: String, timeout: Duration = Self.timeout,
        files: FileOperations
    ) throws(StorageError) {
        let end = ContinuousClock.now + timeout
        while true {
            if let file = try Self.attempt(path, protecting: store, files: files) {
                // The process id is for the error message of other writers, so errors of writing it are ignored.
                _ = try? file.truncate(to: 0)
                _ = try? file.write(Array("\(getpid())\n".utf8))
                self.file = file
                return
            }
            guard ContinuousClock.now < end else {
                throw Self.timeout(path, protecting: store, timeout: timeout, files: files)
            }
            // Random, so that writers do not try again in step.
            usleep(.random(in: 500...2500))
        }
    }

    deinit {
        // Removes the process id; closing the file releases the lock.
        _ = try? file.truncate(to: 0)
    }

    /// Runs `body` under the lock.
    borrowing func holding<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        try body()
    }

    /// Runs `body` as the only writer of a file, after creating its folder and removing temporary files of killed
    /// writers.
    ///
    /// - Parameters:
    ///   - path: the path of the file as the user knows it, for messages.
    ///   - place: the resolved path.
    ///   - name: the name of the lock file, in the same folder.
    /// - Throws: `notAFile`, `lockTimeout`, why a folder or the lock could not be created, or the errors of `body`.
    static func whileWriting<Result>(
        _ path: String, at place: ResolvedPath, lock name: String, files: FileOperations,
        _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        // Checked before the lock file is created: `path` may be a link to a device, and no lock file belongs into
        // /dev.
        if let kind = place.status?.kind, kind != .regular { throw .notAFile(path, kind) }
        let folder = FilePath.folder(of: place.path)
        try StorageError.duringWrite(of: path, Folders.create(folder, files: files))
        let lock = try StoreLock(FilePath.join(folder, name), protecting: path, files: files)
        return try lock.holding { () throws(StorageError) in
            Folders.sweep(besides: place.path, isLocked: true, files: files)
            return try body()
        }
    }

    /// Tries to lock the file, and returns it; `nil` if another process has the lock or replaced the file meanwhile.
    private static func attempt(
        _ path: String, protecting store: String, files: FileOperations
    ) throws(StorageError) -> OpenFile? {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let status: FileStatus
        do throws(SystemError) {
            let file = try OpenFile.openOrCreate(path, flags: flags, files: files)
            guard try file.lock() else { return nil }
            status = try file.status()
            guard let current = try files.statusIfPresent(path), status.isSameFile(as: current) else { return nil }
            if status.kind == .regular { return file }
        } catch {
            // The cause may be that the path is not a file.
            if let kind = files.kind(of: path), kind != .regular { throw .notAFile(path, kind, toWrite: store) }
            throw .opening(path, toWrite: store, error)
        }
        throw .notAFile(path, status.kind, toWrite: store)
    }

    private static func timeout(
        _ path: String, protecting store: String, timeout: Duration, files: FileOperations
    ) -> StorageError {
        let owner = lockingProcess(of: path, files: files).map { "Process \($0)" } ?? "Another process"
        let sentence =
            "\(owner) has been writing for \(timeout.components.seconds) s: \(StorageError.quotedName(store)) was not "
            + "changed. Try again, or end that process if it hangs. (It holds \(path), for \(store).)"
        return StorageError(code: .lockTimeout, path: store, sentence: sentence)
    }

    private static func lockingProcess(of path: String, files: FileOperations) -> Int32? {
        guard let bytes = try? OpenFile(reading: path, files: files).read(limit: 32) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
