import FlagModel

/// The size limits of a store, checked before each write, so that every written file can be read.
enum StoreLimits {
    /// The size limit of a written file in bytes: 16 MiB, a quarter of the read limit. A history record can then have
    /// each override in two versions, and a larger file written by hand can still be read.
    static let fileSize = DurableFile.sizeLimit / 4
    /// The size limit of a value in bytes: 4 MiB, several times the size of a whole remote config of the known
    /// services.
    static let valueSize = fileSize / 4
    /// The maximum number of overrides: 100,000.
    static let count = 100_000

    /// Checks the result of a write.
    ///
    /// - Parameters:
    ///   - size: the size of the file in bytes, before and after the write.
    ///   - count: the number of overrides, before and after the write.
    /// - Throws: `tooLarge` if a limit is exceeded. Reducing an excessive size or number is allowed.
    static func check(
        _ path: String, _ changes: StoredChanges, size: (before: Int, after: Int), count: (before: Int, after: Int)
    ) throws(StorageError) {
        func tooLarge(_ excess: String, _ advice: String) -> StorageError {
            StorageError(
                .tooLarge, path, "\(excess): \(StorageError.quotedName(path)) was not written. \(advice)")
        }
        for change in changes.overrides {
            guard let length = change.after?.override.value.utf8.count, length > valueSize else { continue }
            let key = JSONOutput.quoted(change.key.string, limit: 60)
            throw tooLarge("The value of \(key) has \(length) bytes; the limit is \(valueSize)", "Make it shorter.")
        }
        if count.after > Self.count, count.after > count.before {
            throw tooLarge("There would be \(count.after) overrides; the limit is \(Self.count)", "Reset some first.")
        }
        if size.after > fileSize, size.after >= size.before || size.after > DurableFile.sizeLimit {
            throw tooLarge(
                "The file would have \(size.after) bytes; the limit is \(fileSize)", "Reset some overrides first.")
        }
    }
}
