import FlagModel

extension StoreLock {
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
}
