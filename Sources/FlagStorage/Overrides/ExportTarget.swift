package import FlagModel

/// The origin of exported overrides. An import ignores it.
package struct ExportOrigin: Sendable, Hashable {
    /// The app.
    package let app: String
    /// The sources, as a title names them.
    package let source: String
    /// The time of the export.
    package let time: Timestamp

    /// An origin.
    package init(app: String, source: String, time: Timestamp) {
        (self.app, self.source, self.time) = (app, source, time)
    }
}

/// A file to export overrides to.
package struct ExportTarget: Sendable {
    /// Its path.
    package let path: String
    private let kept: [(path: String, role: String)]

    /// A file by its path.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - kept: the files that no export may replace, by any name or link, with the role of each.
    package init(_ path: String, sparing kept: [(path: String, role: String)]) {
        (self.path, self.kept) = (path, kept)
    }

    /// Whether a file exists that would be replaced.
    ///
    /// - Throws: `refused` if it must not be replaced, `notAFile`, or `cannotWrite` if its folder is missing.
    package func isTaken() throws(StorageError) -> Bool {
        try refuseKept()
        guard try DurableFile.exists(path) else { return false }
        try refuseStores()
        return true
    }

    /// Writes overrides to the file, replacing any content.
    ///
    /// - Parameter origin: the origin of the overrides; by default, the file has keys and values only.
    /// - Returns: the number of overrides, in words.
    /// - Throws: `refused`, or why they cannot be read or written; then the file is unchanged.
    package func write(_ reading: StoreReading, from origin: ExportOrigin? = nil) throws(StorageError) -> String {
        try refuseKept()
        try refuseStores()
        try DurableFile.replace(path, with: Array(try reading.exported(from: origin).utf8))
        return reading.exportedCount
    }

    private func refuseKept() throws(StorageError) {
        for (file, role) in kept where DurableFile.isSame(path, file) { throw refusal(role) }
    }

    /// The files of any store, even of another app, whose users would lose their overrides.
    private func refuseStores() throws(StorageError) {
        let role = "a file of another store of overrides"
        if OverrideStore.ownsFile(at: path) { throw refusal(role) }
        do throws(StorageError) {
            guard let bytes = try DurableFile.read(path) else { return }
            if ImportedValues.isOverrideFile(bytes) { throw refusal(role) }
        } catch {
            // Stores are smaller.
            guard error.code == .tooLarge else { throw error }
        }
    }

    private func refusal(_ role: String) -> StorageError {
        StorageError(
            code: .refused, path: path,
            sentence: "\(path) is \(role); nothing was written. Choose another name.")
    }
}

extension OverrideStore {
    /// Whether a file is part of a store, damaged or not: it has its name, and the lock that every store makes before
    /// it writes is beside it.
    fileprivate static func ownsFile(at path: String) -> Bool {
        let files = FileOperations.live
        guard let place = try? ResolvedPath(following: path, files: files) else { return false }
        let store = OverrideStore(
            directory: FilePath.folder(of: place.path), author: "", now: { Timestamp(seconds: 0) })
        guard store.paths.contains(place.path), let lock = try? store.place().lock else { return false }
        return (try? ResolvedPath(following: lock, files: files).status) != nil
    }

    /// The store's files, which an export must not replace.
    package var spared: [(path: String, role: String)] { paths.map { ($0, "where overrides are kept") } }
}

extension StoreReading {
    /// The number of overrides in an export, in words.
    package var exportedCount: String { table.overrides.keys.count { !$0.isEmpty }.counted("override") }

    /// The overrides in export format: an object of keys and values, in `overrides` beside their origin if that is
    /// known. Without an empty key, which a file made by hand may have, as an import rejects it.
    ///
    /// - Throws: why they cannot be read.
    package func exported(from origin: ExportOrigin? = nil) throws(StorageError) -> String {
        // An empty export would look like a backup.
        if !areOverridesKnown {
            throw StorageError(
                code: .cannotRead, path: "", sentence: problem.map { "\($0) Nothing was exported." } ?? "")
        }
        let overrides = table.overrides.filter { !$0.key.isEmpty }
        let members = overrides.keys.sorted().map { ($0, JSONOutput.string(overrides[$0]?.value ?? "")) }
        let values = JSONOutput.object(members)
        guard let origin else { return values.text() + "\n" }
        return JSONOutput.object([
            ("app", .string(origin.app)), ("source", .string(origin.source)),
            ("exportedAt", .string(origin.time.rfc3339)), ("overrides", values),
        ]).text() + "\n"
    }
}

extension ImportedValues {
    /// The keys and values in a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - origin: its name in messages; by default, its path.
    /// - Throws: a sentence with the error of the file.
    package static func read(file path: String, called origin: String? = nil) throws(ImportRefusal) -> [String: String]
    {
        try read(try bytes(ofFile: path), from: origin ?? path)
    }

    /// The keys and values in a file, with invalid entries separate.
    package static func entries(ofFile path: String, called origin: String) throws(ImportRefusal) -> ImportEntries {
        try entries(of: try bytes(ofFile: path), from: origin)
    }

    private static func bytes(ofFile path: String) throws(ImportRefusal) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(StorageError) {
            bytes = try DurableFile.read(path)
        } catch {
            throw ImportRefusal(sentence: error.description)
        }
        guard let bytes else { throw ImportRefusal(sentence: "\(path) does not exist. Nothing was changed.") }
        return bytes
    }
}
