import FlagModel
import FlagStorage

/// Files that sources keep beside the app's contexts, for this user alone, such as who an app is to a service.
package struct StateFiles: Sendable {
    /// The app's own folder for state.
    package let folder: String
    /// Told why a file could not be written, in a sentence.
    package let warn: @Sendable (String) -> Void

    /// Files in a folder.
    package init(folder: String, warn: @escaping @Sendable (String) -> Void) {
        (self.folder, self.warn) = (folder, warn)
    }

    /// What is in a file; `nil` where there is none, or it cannot be read, which is the same to who asks.
    package func read(_ name: String) -> [UInt8]? {
        try? DurableFile.read(FilePath.join(folder, name), limit: Self.sizeLimit)
    }

    /// In bytes; what is kept here is small.
    private static let sizeLimit = 1 << 20

    /// Makes a file, with mode 0600, what is made of its content while no other run does so.
    ///
    /// - Parameters:
    ///   - loss: what comes of it where that is not possible, a sentence.
    ///   - change: makes the new content of what there is, or `nil` for no change.
    package func update(_ name: String, loss: String, _ change: ([UInt8]?) -> [UInt8]?) {
        do throws(StorageError) {
            try DurableFile.update(FilePath.join(folder, name), limit: Self.sizeLimit, change)
        } catch {
            warn("\(loss) \(error)")
        }
    }
}
