import FlagModel

extension DurableFile {
    /// Updates a file under a lock, so that other processes wait. The lock file has `.lock` appended to the file's
    /// name, and is never removed. Only this user has access to a new file and new folders.
    ///
    /// - Parameters:
    ///   - limit: the maximum size in bytes; a larger file is rejected.
    ///   - change: gets the old content, or `nil` if the file is missing; returns the new content, or `nil` for no
    ///     change. Called under the lock, so it must be fast.
    /// - Throws: the errors of ``replace(_:with:durability:audience:isLocked:)`` and ``read(_:limit:)``, or
    ///   `lockTimeout`.
    package static func update(
        _ path: String, limit: Int = sizeLimit, files: FileOperations = .live, _ change: ([UInt8]?) -> [UInt8]?
    ) throws(StorageError) {
        let place = try StorageError.duringRead(of: path, ResolvedPath(following: path, files: files))
        let lock = "\(FilePath.name(of: place.path)).lock"
        try StoreLock.whileWriting(path, at: place, lock: lock, files: files) { () throws(StorageError) in
            guard let bytes = change(try read(place.path, limit: limit, files: files)) else { return }
            try replace(place.path, with: bytes, audience: .user, isLocked: true, files: files)
        }
    }
}
