import FlagModel
import FlagStorage

/// Files that sources store beside the app's contexts, readable by this user alone, such as the client id of an app.
package struct StateFiles: Sendable {
    /// The app's own state folder.
    package let folder: String
    /// Called with a sentence why a file could not be written.
    package let warn: @Sendable (String) -> Void

    /// Files in a folder.
    package init(folder: String, warn: @escaping @Sendable (String) -> Void) {
        (self.folder, self.warn) = (folder, warn)
    }

    /// The content of a file; `nil` if it is missing or cannot be read.
    package func read(_ name: String) -> [UInt8]? {
        try? DurableFile.read(FilePath.join(folder, name), limit: Self.sizeLimit)
    }

    /// In bytes; stored state is small.
    private static let sizeLimit = 1 << 20

    /// Writes a file, with mode 0600, with new content made from the old, while other runs wait.
    ///
    /// - Parameters:
    ///   - loss: what is lost if that fails, a sentence.
    ///   - change: makes the new content from the old one, or `nil` for no change.
    package func update(_ name: String, loss: String, _ change: ([UInt8]?) -> [UInt8]?) {
        do throws(StorageError) {
            try DurableFile.update(FilePath.join(folder, name), limit: Self.sizeLimit, change)
        } catch {
            warn("\(loss) \(error)")
        }
    }
}
