import FlagModel

/// The size limits of a store, checked before anything is written, so that no write makes a file that cannot be read.
enum StoreLimits {
    /// The largest file that a write makes, in bytes: 16 MiB. A quarter of the read limit, so that a history record
    /// fits, which may contain each override in two versions, and a file made by hand can be made smaller.
    static let fileSize = DurableFile.sizeLimit / 4
    /// The longest value, in bytes: 4 MiB, several times a whole remote config of the known services.
    static let valueSize = fileSize / 4
    /// The most overrides: 100,000.
    static let count = 100_000

    /// Checks the result of a write.
    ///
    /// - Parameters:
    ///   - size: the file in bytes, before the write and after it.
    ///   - count: the overrides, before the write and after it.
    /// - Throws: `tooLarge`. A write that makes a too large file smaller is allowed.
    static func check(
        _ path: String, _ changes: [StoredChange], size: (before: Int, after: Int), count: (before: Int, after: Int)
    ) throws(StorageError) {
        for change in changes {
            guard let length = change.after?.override.value.utf8.count, length > valueSize else { continue }
            let key = JSONOutput.quoted(change.key.string, limit: 60)
            throw .limit(
                path, "The value of \(key) has \(length) bytes; the limit is \(valueSize)", "Make it shorter.")
        }
        if count.after > Self.count, count.after > count.before {
            throw .limit(
                path, "There would be \(count.after) overrides; the limit is \(Self.count)", "Reset some first.")
        }
        if size.after > fileSize, size.after >= size.before || size.after > DurableFile.sizeLimit {
            throw .limit(
                path, "The file would have \(size.after) bytes; the limit is \(fileSize)",
                "Reset some overrides first.")
        }
    }
}

extension StorageError {
    /// A write of the file `path` that would exceed a limit.
    fileprivate static func limit(_ path: String, _ excess: String, _ advice: String) -> StorageError {
        StorageError(.tooLarge, path, "\(excess): \(quotedName(path)) was not written. \(advice)")
    }
}
