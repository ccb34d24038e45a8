public import FlagModel
import Platform

/// The folder of texts that another program edits. Leftovers of killed processes are removed by a later start.
public struct EditingFolder: Sendable {
    private let path: String
    private let files: FileOperations

    /// The name for which each file gets a folder with a temporary name.
    static let name = "flagmenu"
    /// The age in seconds at which leftovers are removed: an editor may run longer than the menu that started it, but
    /// not by a day.
    private static let timeout: Int64 = 24 * 60 * 60

    /// A folder at `path`, which the first file creates if it is missing.
    package init(_ path: String, files: FileOperations = .live) {
        self.path = path
        self.files = files
    }

    /// Writes a text into a new file; see ``EditingFile``.
    ///
    /// - Throws: why the file was not written; nothing is left behind.
    public func file(_ text: String, name: String) throws(StorageError) -> EditingFile {
        try StorageError.duringWrite(of: path, Folders.create(path, files: files))
        return try EditingFile(text, name: name, in: path, files: files)
    }

    /// Removes leftovers of ended processes that are older than a day.
    ///
    /// Only for a folder that nobody else writes to: elsewhere a file of another user may have such a name.
    public func sweep(at now: FlagTimestamp) {
        let cutoff = (now.seconds - Self.timeout) * 1_000_000_000
        for name in (try? files.names(path)) ?? [] {
            let folder = FilePath.join(path, name)
            guard let process = TemporaryName.owner(of: name, for: Self.name), !files.isRunning(process),
                let status = try? files.statusIfPresent(folder), status.kind == .folder, status.modified < cutoff
            else { continue }
            files.removeFolderWhole(folder)
        }
    }
}
