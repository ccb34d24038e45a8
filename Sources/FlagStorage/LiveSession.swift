package import FlagModel
import Platform

/// The changes of a store while a command replaces them again and again to test states, and the original ones.
///
/// A file beside the store has both; it is on disk before the store is changed. If the process dies, the next program
/// that opens the store restores it; see ``recover(_:isTested:)``. The states are not in the history. Restoring is one
/// record, of what others have changed meanwhile; if that is nothing, an undo is about the tester's own last change.
///
/// A search by hand belongs to no process: it goes on in the next program, until one restores the changes.
package final class LiveSession {
    private let store: OverrideStore
    private let command: String
    private let lock: ProcessLock
    private let isByHand: Bool
    /// The original document and the last one that was written; `nil` before the first write.
    private var documents: (original: OverrideFile, tested: OverrideFile)?

    private static let file = "live.json"
    private static let lockFile = "live.lock"

    /// - Parameters:
    ///   - command: the command that tests states, for the history and messages.
    ///   - isByHand: whether this starts or continues a search by hand.
    /// - Throws: `refused` if another process tests states with this store, or a search by hand does.
    package init(_ store: OverrideStore, of command: String, isByHand: Bool = false) throws(StorageError) {
        let folder = try store.place().folder
        guard let lock = try ProcessLock(FilePath.join(folder, Self.lockFile), files: store.files) else {
            throw StorageError(
                code: .refused, path: store.path,
                sentence: "Another bisect or matrix uses these overrides. Nothing was changed; wait for its end. "
                    + "(\(store.path))")
        }
        (self.store, self.command, self.lock, self.isByHand) = (store, command, lock, isByHand)
        guard let left = try LiveFile(of: store), left.isByHand else {
            // The caller may have read the states of a process that has died since.
            guard try Self.restoreFile(of: store) == nil else {
                throw StorageError(
                    code: .refused, path: store.path,
                    sentence: "A search that had died left its states behind; your changes are restored. Start again.")
            }
            return
        }
        guard isByHand else {
            throw StorageError(
                code: .refused, path: store.path, sentence: "\(Self.runningSentence) Nothing was changed.")
        }
        documents = (left.original, left.tested)
        // The process may have died before it wrote the state.
        if store.read().table.revision < left.tested.revision {
            _ = try replace(with: left.tested.table, log: .raw(left.log))
        }
    }

    /// The original changes, the log and the revision of the state of a search by hand; `nil` if none is running.
    package static func searchByHand(
        in store: OverrideStore
    ) throws(StorageError) -> (original: OverrideTable, log: String, revision: Int)? {
        guard let left = try LiveFile(of: store), left.isByHand else { return nil }
        return (left.original.table, left.log, left.tested.revision)
    }

    private static let runningSentence =
        "A bisect by hand is running, so some of your changes are off. flagmenu bisect continues or stops it, also "
        + "the action :bisect in the menu."

    /// Replaces the changes of the store.
    ///
    /// - Parameters:
    ///   - table: the state to test.
    ///   - log: what is known so far, for the file.
    /// - Throws: `refused` if somebody else has changed the store since the last call, or why it cannot be written.
    package func replace(with table: OverrideTable, log: JSONOutput) throws(StorageError) -> StoreCommit {
        try store.write { transaction throws(StorageError) in
            let current = transaction.baseWithEnded
            if let documents, transaction.transactionBase.hash != documents.tested.hash,
                transaction.base.revision >= documents.tested.revision
            {
                throw StorageError(
                    code: .refused, path: store.path,
                    sentence: "Somebody has changed the overrides meanwhile, so the result would be wrong.")
            }
            var file = transaction.base
            file.apply(
                file.changes(by: table.edits(over: file.table), author: transaction.author, at: transaction.clock))
            file.revision += 1
            file.isOfFormat1 = false
            let documents = (original: documents?.original ?? current, tested: file)
            let members: [(String, JSONOutput)] = [
                ("command", .string(command)), ("process", isByHand ? .null : .integer(Int(getpid()))),
                ("original", .raw(String(decoding: documents.original.bytes, as: UTF8.self))),
                ("tested", .raw(String(decoding: file.bytes, as: UTF8.self))), ("log", log),
            ]
            let path = FilePath.join(transaction.place.folder, Self.file)
            try DurableFile.replace(path, with: Array(JSONOutput.object(members).text().utf8), files: store.files)
            let notice = try transaction.write(file, file.bytes)
            self.documents = documents
            var commit = StoreCommit(from: current.table, to: file.table)
            commit.notice = notice
            return commit
        }
    }

    /// Restores the original changes; those that somebody else has changed meanwhile stay.
    ///
    /// - Returns: the write, whose notice is about changes that stay; `nil` if there was nothing to restore.
    package func restore() throws(StorageError) -> StoreCommit? { try Self.restoreFile(of: store)?.commit }

    /// Restores the original changes of a process that has died.
    ///
    /// - Parameter isTested: whether this process is a tested command, which knows that the changes are a state.
    /// - Returns: what was done, or who tests states now, as sentences; `nil` if there is no file.
    package static func recover(_ store: OverrideStore, isTested: Bool = false) -> String? {
        guard let folder = try? store.place().folder, DurableFile.hasName(FilePath.join(folder, file)) else {
            return nil
        }
        let lockPath = FilePath.join(folder, lockFile)
        guard !ProcessLock.isLocked(lockPath, files: store.files) else {
            return isTested ? nil : "A bisect or matrix tests states here: until it ends, the changes are not yours."
        }
        do throws(StorageError) {
            if try searchByHand(in: store) != nil { return runningSentence }
            // Only one program restores them.
            guard let lock = try ProcessLock(lockPath, files: store.files) else { return nil }
            return try withExtendedLifetime(lock) { () throws(StorageError) in
                guard let (command, commit) = try restoreFile(of: store) else { return nil }
                let sentence = "A \(command) ended without restoring your changes: they are restored now."
                return [sentence, commit.notice].compactMap { $0 }.joined(separator: " ")
            }
        } catch {
            return "A bisect or matrix ended without restoring your changes, and they cannot be restored now. "
                + error.sentence
        }
    }

    /// Restores the changes in the file, and removes the file; `nil` if there is none.
    private static func restoreFile(
        of store: OverrideStore
    ) throws(StorageError) -> (command: String, commit: StoreCommit)? {
        guard let left = try LiveFile(of: store) else { return nil }
        let commit = try store.write { transaction throws(StorageError) in
            try transaction.restore(left.original, after: left.tested, action: left.command)
        }
        try DurableFile.remove(left.path, files: store.files)
        return (left.command, commit)
    }

    /// What the file beside the store has.
    private struct LiveFile {
        let path: String
        let command: String
        /// Whether no process is named that restores the changes.
        let isByHand: Bool
        let original: OverrideFile
        let tested: OverrideFile
        /// JSON.
        let log: String

        /// The content of the file; `nil` if there is none.
        init?(of store: OverrideStore) throws(StorageError) {
            path = FilePath.join(try store.place().folder, LiveSession.file)
            guard let bytes = try DurableFile.read(path, files: store.files) else { return nil }
            guard let root = try? JSONDocument(parsing: bytes).root, let original = OverrideFile(root["original"]),
                let tested = OverrideFile(root["tested"])
            else {
                throw StorageError(
                    .cannotRead, path,
                    "\(StorageError.quotedName(path)) is damaged, so nothing was restored. Remove it.")
            }
            (self.original, self.tested) = (original, tested)
            command = root["command"]?.text?.string ?? ""
            isByHand = root["process"]?.wholeNumber == nil
            log = root["log"]?.compactJSON ?? "null"
        }
    }
}

extension StoreTransaction {
    /// Restores an original document after states were tested, of which one may have been written last.
    fileprivate func restore(
        _ original: OverrideFile, after tested: OverrideFile, action: String
    ) throws(StorageError) -> StoreCommit {
        // The process may have died before it wrote the state.
        let isOurs = base.revision < tested.revision || transactionBase.hash == tested.hash
        var (changes, skipped) = StoredChanges(from: isOurs ? base : tested, to: original).split(by: base)
        skipped.overrides.removeAll { $0.after == base.entries[$0.key] }
        skipped.contexts.removeAll { $0.new == base.contexts.overrides.parts[$0.part] }
        let notices = skipped.notices(in: base)
        var file = isOurs ? original : base
        if !isOurs { file.apply(changes) }
        let kept = StoredChanges(from: original, to: file)
        guard !changes.isEmpty || !kept.isEmpty || isOurs && base.revision != original.revision else {
            return StoreCommit(table: base.table, changes: [], notice: notices.first)
        }
        let history = HistoryAppender(
            place.history, limit: HistoryFile.lengthLimit(forOverridesOf: transactionBase.size))
        file.revision = max(base.revision, history.last?.revision ?? 0) + 1
        file.isOfFormat1 = false
        // Based on the original, so that the states are not in the history: what others have changed from a state is a
        // change of this record instead.
        let record = HistoryRecord(
            revision: file.revision, at: clock.now, by: author, action: action, undoes: nil, redoes: nil,
            base: original.revision == 0 ? file.revision - 1 : original.revision, hash: file.hash,
            baseEntries: original.entries, baseContexts: original.contexts, steps: kept)
        // If the file cannot be written, readers ignore the record.
        let notice = try write(file, file.bytes, notices: notices + history.append([record]))
        return StoreCommit(table: file.table, changes: [], notice: notice)
    }
}

extension OverrideFile {
    /// The hash of the file's bytes.
    fileprivate var hash: String { FNV1a.digits(of: bytes) }

    /// Reads a document in another one; `nil` if it is not valid.
    fileprivate init?(_ value: JSONValue?) {
        guard let value, case .sound(let file, _, _) = StoredContent(parsing: Array(value.source.utf8)) else {
            return nil
        }
        self = file
    }
}

extension StoredChanges {
    /// The changes from one document to another one.
    fileprivate init(from old: OverrideFile, to new: OverrideFile) {
        let keys = Set(old.entries.keys).union(new.entries.keys).filter { old.entries[$0] != new.entries[$0] }
        self.init(
            overrides: keys.sorted().map { StoredChange(key: $0, before: old.entries[$0], after: new.entries[$0]) },
            contexts: new.contexts.overrides.changes(from: old.contexts.overrides),
            scenario: old.scenario == new.scenario ? nil : ScenarioChange(old: old.scenario, new: new.scenario))
    }
}

extension OverrideTable {
    /// The edits that make these the only changes, instead of older ones. Notes and ends are left out.
    package func edits(over old: OverrideTable) -> [OverrideEdit] {
        let sources = contexts.keySet.union(old.contexts.keySet).sorted().map(\.string)
        return [.replaceAll(overrides.mapValues(\.value))]
            + sources.map { .changeContext(ContextChange(source: $0, edits: [.reset] + (contexts[$0]?.edits ?? []))) }
    }
}
