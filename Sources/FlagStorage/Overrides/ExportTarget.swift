package import FlagModel

/// A file to export overrides, a catalog or code to.
package struct ExportTarget: Sendable {
    /// The file's path.
    package let path: String
    private let protected: [(path: String, role: String)]

    /// A file to export to.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - protected: the files that no export may replace, even through a link, with the role of each file for
    ///     messages.
    package init(_ path: String, protecting protected: [(path: String, role: String)]) {
        (self.path, self.protected) = (path, protected)
    }

    /// Whether an export would replace an existing file.
    ///
    /// - Throws: `refused` if the file must not be replaced, `notAFile`, or `cannotWrite` if its folder is missing.
    package func isTaken() throws(StorageError) -> Bool {
        try rejectProtected()
        guard try DurableFile.exists(path) else { return false }
        try refuseStores()
        return true
    }

    /// Writes a text to the file, replacing any content.
    ///
    /// - Parameter audience: who may read a new file.
    /// - Throws: `refused`, or why the text cannot be written. The file is unchanged on an error.
    package func write(_ text: String, for audience: DurableFile.Audience = .user) throws(StorageError) {
        try rejectProtected()
        try refuseStores()
        try DurableFile.replace(path, with: Array(text.utf8), audience: audience)
    }

    private func rejectProtected() throws(StorageError) {
        for (file, role) in protected where DurableFile.isSame(path, file) { throw rejection(role) }
    }

    /// Throws an error if the file has the overrides of a store, even of another app: an export would destroy them.
    private func refuseStores() throws(StorageError) {
        do throws(StorageError) {
            guard let bytes = try DurableFile.read(path) else { return }
            if ImportedValues.isOverrideFile(bytes) { throw rejection("a file of another store of overrides") }
        } catch {
            // A file above the size limit is not a store.
            guard error.code == .tooLarge else { throw error }
        }
    }

    private func rejection(_ role: String) -> StorageError {
        StorageError(
            code: .refused, path: path,
            sentence: "\(path) is \(role); nothing was written. Choose another name.")
    }
}

extension OverrideStore {
    /// The store's files, which an export must not replace, with their role for messages.
    package var protectedFiles: [(path: String, role: String)] { paths.map { ($0, "where overrides are kept") } }
}

extension StoreReading {
    /// The number of overrides in an export, in words.
    package var exportedCount: String {
        Self.counted(table.overrides.keys.count { !$0.isEmpty }, table.contexts.parts.count)
    }

    /// Numbers of overrides and of parts of contexts, in words; the parts only if there are any.
    package static func counted(_ overrides: Int, _ parts: Int) -> String {
        let words = overrides.counted("override")
        return parts == 0
            ? words : "\(words) and \(parts.counted("condition or attribute", "conditions and attributes"))"
    }

    /// The overrides as a JSON object, with their origin for readers of the file.
    ///
    /// - Parameters:
    ///   - source: the names of the sources, as in the menu's title.
    ///   - evaluations: the open sources.
    ///   - time: the time of the export.
    ///   - withNotes: whether to write why overrides exist.
    /// - Throws: why the overrides cannot be read.
    package func exported(
        app: String, source: String, evaluations: [SourceEvaluation], at time: FlagTimestamp, withNotes: Bool = true
    ) throws(StorageError) -> String {
        // Otherwise, an export without the unreadable overrides would look like a complete backup.
        if !areOverridesKnown {
            throw StorageError(
                code: .cannotRead, path: "", sentence: issue.map { "\($0) Nothing was exported." } ?? "")
        }
        var entries = ImportEntries(table, of: app, evaluations: evaluations, at: time)
        if !withNotes { entries.notes = [:] }
        return entries.exported(source: source, at: time)
    }
}

extension ImportedValues {
    /// The keys and values in a file, and its unreadable entries.
    package static func entries(ofFile path: String, called origin: String) throws(InvalidText) -> ImportEntries {
        let bytes: [UInt8]?
        do throws(StorageError) {
            bytes = try DurableFile.read(path)
        } catch {
            throw InvalidText(sentence: error.description)
        }
        guard let bytes else { throw InvalidText(sentence: "\(path) does not exist. Nothing was changed.") }
        return try entries(of: JSONComments.removed(from: bytes, named: path), from: origin, at: .system)
    }
}
