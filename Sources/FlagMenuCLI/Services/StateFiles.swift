import FlagModel
import FlagStorage

/// Files that sources keep beside the app's contexts, for this user alone, such as who an app is to a service.
struct StateFiles: Sendable {
    /// The app's own folder for state.
    let folder: String
    /// Told why a file could not be written, in a sentence.
    let warn: @Sendable (String) -> Void

    /// What is in a file of a folder; `nil` where there is none, or it cannot be read, which is the same to who asks.
    func read(_ name: String, in subfolder: String) -> [UInt8]? {
        try? DurableFile.read(path(name, subfolder), limit: 1 << 20)
    }

    /// Writes a file with mode 0600.
    ///
    /// - Parameter loss: what comes of it where that is not possible, a sentence.
    func write(_ bytes: [UInt8], to name: String, in subfolder: String, loss: String) {
        do throws(StorageError) {
            _ = try DurableFile.replace(path(name, subfolder), with: bytes, audience: .user)
        } catch {
            warn("\(loss) \(error)")
        }
    }

    private func path(_ name: String, _ subfolder: String) -> String {
        FilePath.join(FilePath.join(folder, subfolder), name)
    }
}
