import FlagModel
import Platform

/// Reads and replaces whole files so that a reader sees the complete old content or the complete new content.
///
/// A symbolic link is followed: its target is replaced and the link stays. The mode is preserved. A directory, pipe,
/// socket or device is rejected without blocking.
public enum DurableFile {
    /// The guarantee when ``replace(_:with:durability:audience:isLocked:)`` returns.
    public enum Durability: Sendable {
        /// The new content survives a power cut: the file and its name are on disk.
        case full
        /// The file is complete at any time while the machine runs, but a power cut may restore the old content, or on
        /// some file systems leave an empty file. For data that can be fetched again.
        case atomicOnly
    }

    /// The default size limit for reading: 64 MiB, about 300,000 overrides.
    public static let sizeLimit = 64 * 1_048_576

    /// Reads the file; `nil` if it is missing.
    ///
    /// - Throws: `notAFile`, `tooLarge` (more than `limit` bytes) or `cannotRead`.
    package static func read(
        _ path: String, limit: Int = sizeLimit, files: FileOperations = .live
    ) throws(StorageError) -> [UInt8]? {
        let place = try StorageError.duringRead(of: path, ResolvedPath(following: path, files: files))
        guard let status = place.status else { return nil }
        // Checked before opening: opening some devices has an effect.
        guard status.kind == .regular else { throw .notAFile(path, status.kind) }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile(reading: place.path, files: files).read(limit: limit)
        } catch {
            // A file that was removed after the check counts as missing.
            guard error.code == ENOENT else { throw .reading(path, error) }
            return nil
        }
        guard bytes.count <= limit else { throw .tooLarge(path, limit: limit) }
        return bytes
    }

    /// The first bytes of a file, at most `count`; `nil` if it cannot be read, for any reason.
    package static func start(of path: String, count: Int) -> [UInt8]? {
        (try? OpenFile(reading: path, files: .live).read(limit: count)).map { Array($0.prefix(count)) }
    }

    /// Whether a file of any kind exists at a path, even if the file cannot be read; `false` if its folder cannot be
    /// searched.
    package static func hasName(_ path: String) -> Bool {
        do throws(SystemError) {
            return try FileOperations.live.statusIfPresent(path) != nil
        } catch {
            return error.code != EACCES && error.code != EPERM
        }
    }

    /// The status of a file, with all links resolved; `nil` if nothing exists there or that is not known.
    package static func status(of path: String, files: FileOperations = .live) -> FileStatus? {
        (try? ResolvedPath(following: path, files: files))?.status
    }

    /// The owner of a path, or if it is missing, of the nearest folder above it; `nil` if that is not known.
    package static func nearestOwner(of path: String) -> UInt32? {
        let folder = FilePath.folder(of: path)
        return status(of: path)?.owner ?? (folder == path ? nil : nearestOwner(of: folder))
    }

    /// Whether a path itself is a symbolic link, to whatever it leads.
    package static func isLink(_ path: String) -> Bool { FileOperations.live.kind(of: path) == .link }

    /// Whether two paths lead to the same file, also through symbolic or hard links, or to the same missing file.
    /// `false` if a path cannot be checked.
    package static func isSame(_ path: String, _ other: String, files: FileOperations = .live) -> Bool {
        guard let left = try? ResolvedPath(following: path, files: files),
            let right = try? ResolvedPath(following: other, files: files)
        else { return false }
        if let leftStatus = left.status, let rightStatus = right.status {
            return leftStatus.isSameFile(as: rightStatus)
        }
        guard left.status == nil, right.status == nil, FilePath.name(of: left.path) == FilePath.name(of: right.path)
        else { return false }
        let folders = [left.path, right.path].map { FilePath.folder(of: $0) }
        if folders[0] == folders[1] { return true }
        let statuses = folders.compactMap { try? ResolvedPath(following: $0, files: files).status }
        return statuses.count == 2 && statuses[0].isSameFile(as: statuses[1])
    }

    /// Whether this user may not search a folder.
    package static func isClosed(_ folder: String) -> Bool {
        access(folder, X_OK) != 0 && (errno == EACCES || errno == EPERM)
    }

    /// Whether a path is that of a file that this user may read. The file is not opened.
    package static func isReadable(_ path: String) -> Bool {
        status(of: path)?.kind == .regular && access(path, R_OK) == 0
    }

    /// The permission bits of a file if the group or others may read it; `nil` if neither may, or without a file.
    package static func modeReadByOthers(of path: String) -> UInt32? {
        status(of: path).flatMap { $0.mode & 0o044 == 0 ? nil : $0.mode }
    }

    /// Who may read a new file; an existing file keeps its mode.
    public enum Audience: Sendable {
        /// This user alone: mode 0600.
        case user
        /// Everyone the umask allows: mode 0644 without the bits of the umask, as for a file in a repository.
        case everyone

        var mode: UInt32 { self == .user ? FileReplacement.privateMode : 0o644 }
    }

    /// Replaces the content of a file with `bytes`. A new file gets the mode of its `audience`; new folders get mode
    /// 0700.
    ///
    /// The bytes go to a temporary file in the target's folder, which is then renamed to the target. On any failure the
    /// temporary file is removed and the old content stays. Temporary files of killed writers are removed.
    ///
    /// - Parameters:
    ///   - isLocked: whether the caller has the lock of the file, and has removed old temporary files.
    ///   - willReplace: called with the new file before it takes the place of the old one.
    /// - Returns: `nil`, or a sentence if the new content is in place but a power cut may still undo it, because the
    ///   folder could not be synchronized.
    /// - Throws: `notAFile`, `noSpace`, `readOnly` or `cannotWrite`, with the old content intact.
    @discardableResult
    package static func replace(
        _ path: String, with bytes: [UInt8], durability: Durability = .full, audience: Audience = .user,
        isLocked: Bool = false, files: FileOperations = .live, willReplace: ((FileStatus) -> Void)? = nil
    ) throws(StorageError) -> String? {
        let place = try StorageError.duringWrite(of: path, ResolvedPath(following: path, files: files))
        if let kind = place.status?.kind, kind != .regular { throw .notAFile(path, kind) }
        if !isLocked { Folders.sweep(besides: place.path, isLocked: false, files: files) }
        let replacement = FileReplacement(
            place: place, durability: durability, audience: audience, files: files, willReplace: willReplace)
        let syncError = try StorageError.duringWrite(of: path, replacement.write(bytes))
        return syncError.map { .notDurable(path, $0) }
    }

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

    /// Whether the file exists, for a name that a user typed.
    ///
    /// - Throws: `notAFile` if the path leads to something else; `cannotWrite` if its folder is missing, because a later
    ///   write would create a folder whose name may be mistyped.
    public static func exists(_ path: String) throws(StorageError) -> Bool {
        let files = FileOperations.live
        let place = try StorageError.duringWrite(of: path, ResolvedPath(following: path, files: files))
        if let kind = place.status?.kind {
            guard kind == .regular else { throw .notAFile(path, kind) }
            return true
        }
        let folder = FilePath.folder(of: place.path)
        let parent = try StorageError.duringWrite(of: path, ResolvedPath(following: folder, files: files))
        guard parent.status?.kind == .folder else { throw .noFolder(folder, for: path) }
        return false
    }

    /// Why no file can be created in a folder, as a sentence; `nil` if a file can be created. A missing folder counts
    /// as writable if it can be created. Nothing is written.
    public static func blocker(toWritingIn folder: String) -> String? {
        Folders.blocker(toWritingIn: folder, files: .live).map { "\($1.text): cannot write to \($0)." }
    }

    /// Removes a file; a missing one is not an error.
    ///
    /// - Throws: why the file could not be removed.
    package static func remove(_ path: String, files: FileOperations = .live) throws(StorageError) {
        do throws(SystemError) {
            try files.remove(path)
        } catch {
            if error.code != ENOENT { throw .writing(path, error) }
        }
    }

    /// The names in a folder, unordered.
    ///
    /// - Throws: `cannotRead`, also if there is no such folder.
    public static func names(in folder: String) throws(StorageError) -> [String] {
        try StorageError.duringRead(of: folder, FileOperations.live.names(folder))
    }

    /// Makes a write beyond the file size limit (`ulimit -f`) fail with an error instead of ending the process.
    ///
    /// Only for executables, because this changes how the whole process handles SIGXFSZ.
    public static func ignoreFileSizeSignal() {
        signal(SIGXFSZ, SIG_IGN)
    }
}
