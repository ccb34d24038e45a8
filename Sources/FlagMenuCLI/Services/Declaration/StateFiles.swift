import FlagModel
import FlagRemote
import FlagStorage

/// Files in which sources store state, such as the id of an app installation. Only this user can read them.
struct StateFiles: Sendable {
    /// The app's state folder.
    let folder: String
    /// Called with a sentence that says why a file could not be written.
    let warn: @Sendable (String) -> Void

    /// Files in a folder.
    init(folder: String, warn: @escaping @Sendable (String) -> Void) {
        (self.folder, self.warn) = (folder, warn)
    }

    /// The content of a file; `nil` if it is missing or cannot be read.
    func read(_ name: String) -> [UInt8]? {
        try? DurableFile.read(FilePath.join(folder, name), limit: Self.sizeLimit)
    }

    /// The size limit of a file, in bytes. Stored state is much smaller.
    private static let sizeLimit = 1 << 20

    /// Replaces the content of a file, with mode 0600. Other processes that update the file wait meanwhile.
    ///
    /// - Parameters:
    ///   - loss: a sentence that says what is lost if the file cannot be written.
    ///   - change: makes the new content from the old; returns `nil` for no change.
    func update(_ name: String, loss: String, _ change: ([UInt8]?) -> [UInt8]?) {
        do throws(StorageError) {
            try DurableFile.update(FilePath.join(folder, name), limit: Self.sizeLimit, change)
        } catch {
            warn("\(loss) \(error)")
        }
    }
}
