import FlagModel
import Platform

/// The lock for writing a store, owned by one open file at a time on this machine and released when the value ends.
///
/// It is a `flock` on a file of its own that is never renamed or removed: renaming the locked file would give the next
/// writer another one to lock. The kernel releases it if its owner dies. Readers need no lock.
struct StoreLock: ~Copyable {
    private let file: OpenFile

    /// How long a writer waits for others. A write takes milliseconds, so this allows hundreds of earlier writers.
    static let patience: Duration = .seconds(10)

    /// Waits for the lock file `path`, creating it if it is missing.
    ///
    /// - Parameters:
    ///   - store: the file that the lock protects, for error messages.
    ///   - owner: the owner of a new lock file.
    /// - Throws: `lockTimeout` naming the owner, `notAFile`, or why the lock file could not be opened.
    init(
        _ path: String, protecting store: String, owner: FileOwner? = nil, patience: Duration = Self.patience,
        files: FileOperations
    ) throws(StorageError) {
        let end = ContinuousClock.now + patience
        var queue = LockQueue(folder: FilePath.folder(of: path), files: files)
        while true {
            if queue.isFirst(), let file = try Self.attempt(path, protecting: store, owner: owner, files: files) {
                // The owner is for the error message of other writers; a full disk should not prevent a write.
                _ = try? file.truncate(to: 0)
                _ = try? file.write(Array("\(getpid())\n".utf8))
                self.file = file
                return
            }
            guard ContinuousClock.now < end else {
                throw Self.timeout(path, protecting: store, patience: patience, files: files)
            }
            files.pause(queue.nextWait())
        }
    }

    deinit {
        // Only a courtesy to readers of the file; closing it releases the lock.
        _ = try? file.truncate(to: 0)
    }

    /// Runs `body` under the lock.
    borrowing func holding<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        try body()
    }

    /// The locked file; `nil` if another process has the lock, or the file was replaced meanwhile.
    private static func attempt(
        _ path: String, protecting store: String, owner: FileOwner?, files: FileOperations
    ) throws(StorageError) -> OpenFile? {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let status: FileStatus
        do throws(SystemError) {
            let file = try OpenFile.openOrCreate(path, flags: flags, owner: owner, files: files)
            guard try file.lock() else { return nil }
            status = try file.status()
            guard let named = try files.statusIfPresent(path), status.isSameFile(as: named) else { return nil }
            if status.kind == .regular { return file }
        } catch {
            // The reason may be that it is not a file.
            if let kind = files.kind(of: path), kind != .regular { throw .notAFile(path, kind, toWrite: store) }
            throw .opening(path, toWrite: store, error)
        }
        throw .notAFile(path, status.kind, toWrite: store)
    }

    private static func timeout(
        _ path: String, protecting store: String, patience: Duration, files: FileOperations
    ) -> StorageError {
        let holder = holder(of: path, files: files).map { "Process \($0)" } ?? "Another process"
        let sentence =
            "\(holder) has been writing for \(patience.components.seconds) s: \(StorageError.quotedName(store)) was not "
            + "changed. Try again, or end that process if it hangs. (It holds \(path), for \(store).)"
        return StorageError(code: .lockTimeout, path: store, sentence: sentence)
    }

    private static func holder(of path: String, files: FileOperations) -> Int32? {
        guard let bytes = try? OpenFile(reading: path, files: files).read(limit: 32) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
