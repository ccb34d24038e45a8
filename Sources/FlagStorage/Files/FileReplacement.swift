import FlagModel
import Platform

/// Replaces a file: writes and synchronizes a temporary file, renames it to the target, and synchronizes the folder.
///
/// Without synchronizing the file, a power cut can leave an empty file; without synchronizing the folder, it can leave
/// the old file.
struct FileReplacement {
    let place: ResolvedPath
    let durability: DurableFile.Durability
    var audience = DurableFile.Audience.user
    let files: FileOperations
    /// Called with the new file before it replaces the target.
    var willReplace: ((FileStatus) -> Void)?

    /// The permission bits of a private file, such as a tester's overrides.
    static let privateMode: UInt32 = 0o600

    private var folder: String { FilePath.folder(of: place.path) }

    /// Replaces the target's content. If this throws an error, the content is unchanged.
    ///
    /// - Returns: the error of synchronizing the folder, after the file was replaced.
    func write(_ bytes: [UInt8]) throws(SystemError) -> SystemError? {
        if place.status == nil { try Folders.create(folder, files: files) }
        // Opened first, so that an error occurs before the target changes.
        let openFolder = try durability == .full ? OpenFile(reading: folder, files: files) : nil
        let temporary = FilePath.join(folder, TemporaryName.make(for: FilePath.name(of: place.path)))
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = try OpenFile(temporary, flags: flags, mode: audience.mode, files: files)
        do throws(SystemError) {
            try finish(file, with: bytes)
            try uninterrupted(files.rename(temporary, place.path))
        } catch {
            // An error is ignored: the next sweep removes the file.
            _ = try? files.remove(temporary)
            throw error
        }
        guard let openFolder else { return nil }
        return Folders.synchronize(openFolder)
    }

    private func finish(_ file: consuming OpenFile, with bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes)
        // A new file for everyone already has the permission bits that the umask allows.
        if let mode = place.status?.mode ?? (audience == .user ? Self.privateMode : nil) {
            try file.changeMode(to: mode)
        }
        if durability == .full { try file.synchronize() }
        if let willReplace, let status = try? file.status() { willReplace(status) }
        try file.close()
    }
}
