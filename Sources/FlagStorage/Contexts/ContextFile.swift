public import FlagModel

/// What a tester has decided about sources, on this machine and for this user: `contexts.json` in the app's own folder for
/// state, which any number of processes read and change at once.
///
/// Reading takes no lock and never fails. A write is all or nothing, on what the file holds under a lock.
public struct ContextFile: Sendable {
    /// The file's name.
    package static let name = "contexts.json"

    /// Where the file is, or will be.
    public let path: String
    private let now: @Sendable () -> Timestamp
    /// The sentence with which every write is refused; `nil` where the file may be written.
    private let refusal: @Sendable () -> String?
    private let files: FileOperations

    /// What a look at the file found.
    public struct Reading: Sendable, Hashable {
        /// What is decided, by the names of sources.
        public var contexts: [String: OwnContext]
        /// What is wrong with the file and what is in use meanwhile, as a sentence or two; `nil` while all is well.
        public var problem: String?

        /// What is decided; nothing is wrong with the file.
        public init(contexts: [String: OwnContext], problem: String? = nil) {
            self.contexts = contexts
            self.problem = problem
        }
    }

    /// A file in a folder, which is created by the first write.
    ///
    /// - Parameters:
    ///   - directory: the folder.
    ///   - now: the time in the name that a damaged file is kept under.
    ///   - refusal: the sentence with which every write is refused, asked for at each.
    package init(
        directory: String, now: @escaping @Sendable () -> Timestamp,
        refusal: @autoclosure @escaping @Sendable () -> String? = nil, files: FileOperations = .live
    ) {
        path = FilePath.join(FilePath.trimmed(directory), Self.name)
        self.now = now
        self.refusal = refusal
        self.files = files
    }

    /// What is decided now.
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

    /// That parts of the file are of a wrong kind; `nil` where none is.
    private func misfits(_ document: ContextDocument) -> String? {
        let names = document.misfits
        guard !names.isEmpty else { return nil }
        return
            "Contexts: \(names.joined(separator: ", ")) "
            + (names.count == 1 ? "is not an object and has" : "are not objects and have")
            + " no effect; changing it keeps the file under another name. (\(path))"
    }

    /// Makes edits, all or none, and reports them when they are on the disk.
    ///
    /// A damaged file is kept under another name first, and so is one of which something that could not be understood gives
    /// way to what is decided.
    ///
    /// - Parameter former: another name that the source had, under which something may be decided that becomes its own.
    /// - Returns: a sentence that the user must see although the write succeeded; else `nil`.
    /// - Throws: a ``StorageError``; then the file is as it was.
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

    /// Writes the file anew, and keeps the one that is there under another name.
    private func replace(
        _ file: String, with document: ContextDocument, telling sentence: String
    ) throws(StorageError) -> String? {
        let aside = try CorruptFile(keeping: file, at: now(), files: files)
        _ = try aside.replace(with: document.bytes)
        return "\(sentence) (\(aside.path))"
    }

    /// Tells of every change of the file; see ``DirectoryWatch``.
    ///
    /// - Throws: `cannotWatch` when there is no thread or no descriptor to be had.
    public func watch(_ onChange: @escaping @Sendable () -> Void) throws(StorageError) -> DirectoryWatch {
        try DirectoryWatch(path, files: files, onChange: onChange)
    }
}

extension ContextDocument {
    fileprivate var contexts: [String: OwnContext] { entries.mapValues(\.own) }
}
