import FlagModel

extension StoreLock {
    /// Runs `body` as the only writer of a file, after creating its folder and removing temporary files of killed
    /// writers.
    ///
    /// - Parameters:
    ///   - path: the path of the file as the user knows it, for messages.
    ///   - place: the resolved path.
    ///   - name: the name of the lock file, in the same folder.
    ///   - body: gets the owner for new files: the owner of the file, or if it is missing, of its folder.
    /// - Throws: `notAFile`, `lockTimeout`, why a folder or the lock could not be created, or the errors of `body`.
    static func whileWriting<Result>(
        _ path: String, at place: ResolvedPath, lock name: String, files: FileOperations,
        _ body: (_ owner: FileOwner?) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        // Checked before the lock file is created: `path` may be a link to a device, and no lock file belongs into
        // /dev.
        if let kind = place.status?.kind, kind != .regular { throw .notAFile(path, kind) }
        let folder = FilePath.folder(of: place.path)
        try StorageError.writing(path) { () throws(SystemError) in try Folders.create(folder, files: files) }
        let owner = place.status.map(FileOwner.init) ?? FileOwner(ofNewFileIn: folder, files: files)
        let lock = try StoreLock(FilePath.join(folder, name), protecting: path, owner: owner, files: files)
        return try lock.holding { () throws(StorageError) in
            Folders.sweep(besides: place.path, isLocked: true, files: files)
            return try body(owner)
        }
    }
}
