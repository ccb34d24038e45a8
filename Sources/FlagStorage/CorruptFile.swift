import FlagModel
import Platform

/// Saves damaged files under another name when they are replaced.
enum CorruptFile {
    /// The maximum number of names to try: more damaged files in one second would be an attack.
    private static let nameLimit = 1000

    /// Gives the file `original` a second name, durably, and replaces it. If the write fails, the damaged file has only
    /// its first name again.
    ///
    /// With hard links, the first name stays until the file is replaced, so that `original` always exists.
    ///
    /// - Returns: the path of the saved file, `overrides.json.corrupt-20261121T100000Z`, with a number appended if that
    ///   path exists; and a sentence if a power cut may still undo the replacement.
    static func replace(
        _ original: String, with bytes: [UInt8], at time: FlagTimestamp, files: FileOperations
    ) throws(StorageError) -> (path: String, warning: String?) {
        let stamp = time.rfc3339.filter { $0 != "-" && $0 != ":" }
        let path = try StorageError.duringWrite(
            of: original, name(original, "\(original).corrupt-\(stamp)", files: files))
        do throws(StorageError) {
            let folder = FilePath.folder(of: original)
            try StorageError.duringWrite(of: original, Folders.synchronize(at: folder, files: files))
            return (path, try DurableFile.replace(original, with: bytes, isLocked: true, files: files))
        } catch {
            restoreFirstName(original, path, files: files)
            throw error
        }
    }

    /// Restores the first name as the file's only name, after an error. If that fails, too, the second name stays.
    private static func restoreFirstName(_ original: String, _ path: String, files: FileOperations) {
        let originalStatus = try? files.statusIfPresent(original)
        let secondStatus = try? files.statusIfPresent(path)
        if let originalStatus, let secondStatus, originalStatus.isSameFile(as: secondStatus) {
            _ = try? files.remove(path)
        } else if originalStatus == nil {
            _ = try? files.rename(path, original)
        }
    }

    /// Gives `original` a second name: `first`, with a number appended if `first` exists. Returns the second name.
    private static func name(_ original: String, _ first: String, files: FileOperations) throws(SystemError) -> String {
        for number in 1...nameLimit {
            let path = number == 1 ? first : "\(first)-\(number)"
            do throws(SystemError) {
                try uninterrupted(files.link(original, path))
                return path
            } catch {
                if error.code == EEXIST { continue }
            }
            // Not every file system supports hard links. Only a writer with the lock creates such names, so no other
            // process can create `path` between the check and the rename.
            if try files.statusIfPresent(path) == nil {
                try uninterrupted(files.rename(original, path))
                return path
            }
        }
        throw SystemError(call: "link", code: EEXIST)
    }
}
