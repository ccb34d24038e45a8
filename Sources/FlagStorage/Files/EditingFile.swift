import FlagModel
import Platform

/// A text on the disk for as long as another program edits it: a private file, alone in a private folder, so that
/// nobody else reads it and what editors leave beside a file (`~`, `.swp`) goes with it.
public struct EditingFile: Sendable {
    /// The file's path.
    public let path: String
    private let folder: String
    private let files: FileOperations

    /// The largest text in bytes that is taken back: as much as a paste may have (1 MiB).
    public static let sizeLimit = 1 << 20

    /// Writes the text, with the line feed at its end that editors expect, into a new folder.
    ///
    /// - Parameters:
    ///   - text: what is to be edited.
    ///   - name: the file's name, which tells an editor what is in it by its ending.
    ///   - parent: the folder in which the new one is made.
    /// - Throws: why there is no file; nothing is left behind.
    package init(_ text: String, name: String, in parent: String, files: FileOperations = .live) throws(StorageError) {
        let folder = FilePath.join(parent, EditingFolder.newName())
        self.folder = folder
        self.files = files
        path = FilePath.join(folder, name)
        try StorageError.writing(path) { () throws(SystemError) in try files.makeFolder(folder, 0o700) }
        do throws(StorageError) {
            // Nobody else writes in a folder of its own.
            try DurableFile.replace(
                path, with: Array("\(text)\n".utf8), durability: .atomicOnly, isLocked: true, files: files)
        } catch {
            remove()
            throw error
        }
    }

    /// What was written, without the line feed at its end.
    ///
    /// - Throws: that it is not there any more, too large or no UTF-8.
    public func read() throws(StorageError) -> String {
        let kind = try StorageError.reading(path) { () throws(SystemError) in try files.statusIfPresent(path)?.kind }
        guard kind != .folder else {
            throw StorageError(
                code: .notAFile, path: path,
                sentence: "The editor left a directory in the file's place. The value is unchanged.")
        }
        guard let bytes = try DurableFile.read(path, limit: Self.sizeLimit, files: files) else {
            throw StorageError(
                code: .cannotRead, path: path, sentence: "The editor left no file. The value is unchanged.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw StorageError(
                code: .cannotRead, path: path,
                sentence: "The editor wrote text that is not UTF-8. The value is unchanged.")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Removes the file and what was left beside it or in its place.
    public func remove() {
        // Whatever stays is private, and swept by a later start; nobody could do anything about it here.
        files.removeFolderWhole(folder)
    }
}
