import FlagModel
import Platform

/// One replacement of a file: temporary file, synchronized, renamed over the target, folder synchronized.
///
/// Both synchronizations are needed. Without the file's, a power cut can leave an empty file under the new name;
/// without the folder's, the old one.
struct FileReplacement {
    let place: ResolvedPath
    let durability: DurableFile.Durability
    var audience = DurableFile.Audience.user
    let files: FileOperations

    /// Permission bits of a new file: a tester's overrides are private.
    static let privateMode: UInt32 = 0o600

    private var folder: String { FilePath.folder(of: place.path) }

    /// Replaces the target's content; a failure leaves it unchanged.
    ///
    /// - Returns: the error of the folder's synchronization, if everything before succeeded.
    func write(_ bytes: [UInt8]) throws(SystemError) -> SystemError? {
        if place.status == nil { try Folders.create(folder, files: files) }
        // Opened before anything changes: a folder that cannot be opened should not fail halfway.
        let openFolder = try durability == .full ? OpenFile(reading: folder, files: files) : nil
        let temporary = try writeTemporary(bytes)
        do throws(SystemError) {
            try uninterrupted { () throws(SystemError) in try files.rename(temporary, place.path) }
        } catch {
            remove(temporary)
            throw error
        }
        guard let openFolder else { return nil }
        return Folders.synchronize(openFolder)
    }

    /// Writes and synchronizes a temporary file beside the target; removes it if that fails.
    private func writeTemporary(_ bytes: [UInt8]) throws(SystemError) -> String {
        let path = FilePath.join(folder, TemporaryName.make(for: FilePath.name(of: place.path)))
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = try OpenFile(path, flags: flags, mode: audience.mode, files: files)
        do throws(SystemError) {
            try fill(file, with: bytes)
            return path
        } catch {
            remove(path)
            throw error
        }
    }

    private func fill(_ file: consuming OpenFile, with bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes)
        let owner = place.status.map(FileOwner.init) ?? FileOwner(ofNewFileIn: folder, files: files)
        if let owner { try file.give(to: owner) }
        // A new file that others may read gets its bits from the umask.
        if let mode = place.status?.mode ?? (audience == .user ? Self.privateMode : nil) {
            try file.changeMode(to: mode)
        }
        if durability == .full { try file.synchronize() }
        try file.close()
    }

    private func remove(_ path: String) {
        // Reports the original error; a leftover is removed by the next sweep.
        _ = try? files.remove(path)
    }
}
