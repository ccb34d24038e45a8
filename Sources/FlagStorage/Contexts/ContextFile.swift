public import FlagModel

/// The file with a tester's context overrides, for one user of this machine: `contexts.json` in the app's state folder.
/// Any number of processes read and change it concurrently.
///
/// Reading needs no lock and never fails. A write takes a lock, reads the current content and replaces the file
/// atomically.
public struct ContextFile: Sendable {
    /// The file's name.
    package static let name = "contexts.json"

    /// The path of the file, which may not exist yet.
    public let path: String
    private let now: @Sendable () -> FlagTimestamp
    /// Returns why the file must not be written, as a sentence; `nil` if it may be.
    private let readOnlyReason: @Sendable () -> String?
    private let files: FileOperations

    /// The result of reading the file.
    public struct Reading: Sendable, Hashable {
        /// The overrides, by the names of sources.
        public var contexts: FlagTable<ContextOverride>
        /// The error of the file and which overrides are in use, as a sentence or two; `nil` without an error.
        public var issue: String?

        /// Overrides without an error.
        public init(contexts: FlagTable<ContextOverride>, issue: String? = nil) {
            self.contexts = contexts
            self.issue = issue
        }
    }

    /// The context file in a folder. The first write creates the folder and the file.
    ///
    /// - Parameters:
    ///   - directory: the folder.
    ///   - now: returns the time for the name of a damaged file's copy.
    ///   - readOnlyReason: why the file must not be written, as a sentence; evaluated at each write.
    package init(
        directory: String, now: @escaping @Sendable () -> FlagTimestamp,
        readOnlyReason: @autoclosure @escaping @Sendable () -> String? = nil, files: FileOperations = .live
    ) {
        path = FilePath.join(FilePath.trimmed(directory), Self.name)
        self.now = now
        self.readOnlyReason = readOnlyReason
        self.files = files
    }

    /// Reads the current overrides.
    public func read() -> Reading {
        do throws(StorageError) {
            guard let bytes = try DurableFile.read(path, files: files) else { return Reading(contexts: [:]) }
            switch ContextDocument.Reading(bytes) {
            case .sound(let document):
                return Reading(contexts: document.contexts, issue: misfitWarning(document))
            case .newerFormat(let format, let document):
                return Reading(
                    contexts: document.contexts,
                    issue: "Contexts: written by a newer version (format \(format)); they are in use, but cannot be "
                        + "changed. (\(path))")
            case .corrupt(let reason):
                return Reading(
                    contexts: [:],
                    issue:
                        "Contexts: \(reason). Your context overrides are not in use; the next change keeps the "
                        + "damaged file under another name. (\(path))")
            }
        } catch {
            return Reading(contexts: [:], issue: "\(error.sentence) Your context overrides are not in use.")
        }
    }

    /// The warning that parts of the file are not objects; `nil` if all are.
    private func misfitWarning(_ document: ContextDocument) -> String? {
        let names = document.misfits
        guard !names.isEmpty else { return nil }
        return
            "Contexts: \(names.joined(separator: ", ")) "
            + (names.count == 1 ? "is not an object and has" : "are not objects and have")
            + " no effect; changing it keeps the file under another name. (\(path))"
    }

    /// Applies all edits of a change, and returns when they are on disk.
    ///
    /// If the file is damaged, or if the write would lose parts that are not valid, the old file is saved under another
    /// name.
    ///
    /// - Parameter former: an earlier name of the source; an override of that name is moved to the source.
    /// - Returns: a warning for the user although the write succeeded; `nil` if there is none.
    /// - Throws: a ``StorageError``. The file is unchanged on an error.
    @discardableResult
    public func apply(_ change: ContextChange, renaming former: String? = nil) throws(StorageError) -> String? {
        if let readOnlyReason = readOnlyReason() {
            throw StorageError(code: .refused, path: path, sentence: readOnlyReason)
        }
        let place = try StorageError.reading(path) { () throws(SystemError) in
            try ResolvedPath(following: path, files: files)
        }
        return try StoreLock.whileWriting(path, at: place, lock: "contexts.lock", files: files) {
            _ throws(StorageError) in
            try write(change, renaming: former, to: place.path)
        }
    }

    private func write(
        _ change: ContextChange, renaming former: String?, to file: String
    ) throws(StorageError) -> String? {
        let bytes = try DurableFile.read(file, files: files)
        switch bytes.map(ContextDocument.Reading.init) ?? .sound(ContextDocument()) {
        case .newerFormat(let format, _): throw .newerFormat(path, format: format)
        case .sound(var document):
            let original = document
            if let former { document.rename(former, to: change.source) }
            document.apply(change.edits, to: change.source)
            guard document != original else { return nil }
            let lostMisfits = document.lostMisfits
            guard lostMisfits.isEmpty else {
                return try replace(
                    file, with: document,
                    reporting:
                        "In \(StorageError.quotedName(path)) your changes replaced "
                        + "\(lostMisfits.joined(separator: ", ")), which could not be read. The old file is kept.")
            }
            return try DurableFile.replace(file, with: document.bytes, isLocked: true, files: files)
        case .corrupt(let reason):
            var document = ContextDocument()
            document.apply(change.edits, to: change.source)
            return try replace(
                file, with: document,
                reporting:
                    "Damaged at \(reason): \(StorageError.quotedName(path)) was rewritten empty. "
                    + "The damaged file is kept.")
        }
    }

    /// Saves the old file under another name and writes the new file. Returns `sentence` with the path of the saved
    /// file.
    private func replace(
        _ file: String, with document: ContextDocument, reporting sentence: String
    ) throws(StorageError) -> String? {
        let oldFile = try CorruptFile(keeping: file, at: now(), files: files)
        _ = try oldFile.replace(with: document.bytes)
        return "\(sentence) (\(oldFile.path))"
    }

    /// Calls `onChange` at every change of the file; see ``DirectoryWatch``.
    ///
    /// - Throws: `cannotWatch` if there is no thread or no descriptor left.
    public func watch(_ onChange: @escaping @Sendable () -> Void) throws(StorageError) -> DirectoryWatch {
        try DirectoryWatch(path, files: files, onChange: onChange)
    }
}

extension ContextDocument {
    fileprivate var contexts: FlagTable<ContextOverride> { entries.mapValues(\.contextOverride) }
}
