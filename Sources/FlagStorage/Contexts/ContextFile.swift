public import FlagModel

/// A tester's context overrides, on this machine and for this user: `contexts.json` in the app's own state folder,
/// which any number of processes read and change concurrently.
///
/// Reading takes no lock and never fails. A write is atomic, based on the content under a lock.
public struct ContextFile: Sendable {
    /// The file's name.
    package static let name = "contexts.json"

    /// Where the file is, or will be.
    public let path: String
    private let now: @Sendable () -> Timestamp
    /// The sentence that rejects every write; `nil` if the file may be written.
    private let refusal: @Sendable () -> String?
    private let files: FileOperations

    /// The result of reading the file.
    public struct Reading: Sendable, Hashable {
        /// The overrides, by the names of sources.
        public var contexts: [String: OwnContext]
        /// The error of the file and what is in use meanwhile, as a sentence or two; `nil` if there is none.
        public var problem: String?

        /// Overrides without an error.
        public init(contexts: [String: OwnContext], problem: String? = nil) {
            self.contexts = contexts
            self.problem = problem
        }
    }

    /// A file in a folder, which is created by the first write.
    ///
    /// - Parameters:
    ///   - directory: the folder.
    ///   - now: the time in the name of a damaged file's copy.
    ///   - refusal: the sentence that rejects every write, evaluated each time.
    package init(
        directory: String, now: @escaping @Sendable () -> Timestamp,
        refusal: @autoclosure @escaping @Sendable () -> String? = nil, files: FileOperations = .live
    ) {
        path = FilePath.join(FilePath.trimmed(directory), Self.name)
        self.now = now
        self.refusal = refusal
        self.files = files
    }

    /// Reads the current overrides.
    public func read() -> Reading {
        do throws(StorageError) {
            guard let bytes = try DurableFile.read(path, files: files) else { return Reading(contexts: [:]) }
            switch ContextDocument.Reading(bytes) {
            case .sound(let document):
                return Reading(contexts: document.contexts, problem: misfits(document))
            case .newerFormat(let format, let document):
                return Reading(
                    contexts: document.contexts,
                    problem: "Contexts: written by a newer version (format \(format)); they are in use, but cannot be "
                        + "changed. (\(path))")
            case .corrupt(let complaint):
                return Reading(
                    contexts: [:],
                    problem:
                        "Contexts: \(complaint). Your context overrides are not in use; the next change keeps the "
                        + "damaged file under another name. (\(path))")
            }
        } catch {
            return Reading(contexts: [:], problem: "\(error.sentence) Your context overrides are not in use.")
        }
    }

    /// The warning that parts of the file are of a wrong kind; `nil` if there are none.
    private func misfits(_ document: ContextDocument) -> String? {
        let names = document.misfits
        guard !names.isEmpty else { return nil }
        return
            "Contexts: \(names.joined(separator: ", ")) "
            + (names.count == 1 ? "is not an object and has" : "are not objects and have")
            + " no effect; changing it keeps the file under another name. (\(path))"
    }

    /// Applies edits, all or none, and returns when they are on disk.
    ///
    /// A damaged file is copied to another name first, and so is one that would lose parts that could not be parsed.
    ///
    /// - Parameter former: an earlier name of the source, whose override is moved to it.
    /// - Returns: a sentence that the user must see although the write succeeded; else `nil`.
    /// - Throws: a ``StorageError``; then the file is unchanged.
    @discardableResult
    public func apply(_ change: ContextChange, renaming former: String? = nil) throws(StorageError) -> String? {
        if let refusal = refusal() { throw StorageError(code: .refused, path: path, sentence: refusal) }
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
            let before = document
            if let former { document.rename(former, to: change.source) }
            document.apply(change.edits, to: change.source)
            guard document != before else { return nil }
            let lost = document.lostMisfits
            guard lost.isEmpty else {
                return try replace(
                    file, with: document,
                    telling:
                        "In \(StorageError.quotedName(path)) your changes replaced \(lost.joined(separator: ", ")), "
                        + "which could not be read. The old file is kept.")
            }
            return try DurableFile.replace(file, with: document.bytes, isLocked: true, files: files)
        case .corrupt(let complaint):
            var document = ContextDocument()
            document.apply(change.edits, to: change.source)
            return try replace(
                file, with: document,
                telling:
                    "Damaged at \(complaint): \(StorageError.quotedName(path)) was rewritten empty. "
                    + "The damaged file is kept.")
        }
    }

    /// Replaces the file, and copies the old one to another name.
    private func replace(
        _ file: String, with document: ContextDocument, telling sentence: String
    ) throws(StorageError) -> String? {
        let aside = try CorruptFile(keeping: file, at: now(), files: files)
        _ = try aside.replace(with: document.bytes)
        return "\(sentence) (\(aside.path))"
    }

    /// Reports every change of the file; see ``DirectoryWatch``.
    ///
    /// - Throws: `cannotWatch` if there is no thread or no descriptor left.
    public func watch(_ onChange: @escaping @Sendable () -> Void) throws(StorageError) -> DirectoryWatch {
        try DirectoryWatch(path, files: files, onChange: onChange)
    }
}

extension ContextDocument {
    fileprivate var contexts: [String: OwnContext] { entries.mapValues(\.own) }
}
