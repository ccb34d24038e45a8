package import FlagModel
import Platform

/// The file of a text while another program edits the text. The file is in a separate private folder: nobody else can
/// read the text, and files that editors leave in the folder (`~`, `.swp`) are removed with the folder.
public struct EditingFile: Sendable {
    /// The file's path.
    public let path: String
    private let files: FileOperations

    /// The size limit of an edited text in bytes: 1 MiB, the same as for pasted text.
    public static let sizeLimit = 1 << 20
    /// The name for which each file gets a folder with a temporary name.
    private static let name = "flagmenu"
    /// The age in seconds at which leftovers are removed: an editor may run longer than the menu that started it, but
    /// not by a day.
    private static let timeout: Int64 = 24 * 60 * 60

    /// Writes the text, with the trailing line feed that editors expect, into a new folder.
    ///
    /// - Parameters:
    ///   - text: the text to edit.
    ///   - name: the file's name, whose extension shows editors the format.
    ///   - parent: the folder in which to create the new folder; it is created, too, if it is missing.
    /// - Throws: why the file was not written; nothing is left behind.
    package init(_ text: String, name: String, in parent: String, files: FileOperations = .live) throws(StorageError) {
        let folder = FilePath.join(parent, TemporaryName.make(for: Self.name))
        self.files = files
        path = FilePath.join(folder, name)
        try StorageError.duringWrite(of: parent, Folders.create(parent, files: files))
        try StorageError.duringWrite(of: path, files.makeFolder(folder, 0o700))
        do throws(StorageError) {
            // No lock is needed, as nobody else writes to the new folder.
            try DurableFile.replace(
                path, with: Array("\(text)\n".utf8), durability: .atomicOnly, isLocked: true, files: files)
        } catch {
            remove()
            throw error
        }
    }

    /// The edited text, without its trailing line feed.
    ///
    /// - Throws: an error if the file is missing, too large or not UTF-8.
    public func read() throws(StorageError) -> String {
        let kind = try StorageError.duringRead(of: path, files.statusIfPresent(path)?.kind)
        func failure(_ code: StorageError.Code, _ cause: String) -> StorageError {
            StorageError(code: code, path: path, sentence: "The editor \(cause). The value is unchanged.")
        }
        guard kind != .folder else { throw failure(.notAFile, "left a directory in the file's place") }
        guard let bytes = try DurableFile.read(path, limit: Self.sizeLimit, files: files) else {
            throw failure(.cannotRead, "left no file")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure(.cannotRead, "wrote text that is not UTF-8")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Removes the file and everything beside it.
    public func remove() {
        // Errors are ignored: leftovers are private, and a later start removes them.
        files.removeFolderWhole(FilePath.folder(of: path))
    }

    /// Removes leftovers of killed processes in a folder that are older than a day.
    ///
    /// Only for a folder that nobody else writes to: elsewhere a file of another user may have such a name.
    package static func sweep(_ parent: String, at now: FlagTimestamp, files: FileOperations = .live) {
        let cutoff = (now.seconds - timeout) * 1_000_000_000
        for name in (try? files.names(parent)) ?? [] {
            let folder = FilePath.join(parent, name)
            guard let process = TemporaryName.owner(of: name, for: Self.name), !files.isRunning(process),
                let status = try? files.statusIfPresent(folder), status.kind == .folder, status.modified < cutoff
            else { continue }
            files.removeFolderWhole(folder)
        }
    }
}
