import FlagModel

/// The content of the override file as this process last read or wrote it.
struct KnownFile: Sendable {
    let file: OverrideFile
    /// The history when the file was read or written: a longer or another one has changes that this process has not
    /// seen. `nil` if the history had unseen changes already, or its length is not known.
    let history: FileStatus?
}

/// The overrides in use while the override file cannot be read, and their origin.
struct LastGood: Sendable {
    /// The origin of the overrides.
    enum Evidence: Sendable, Hashable {
        /// The overrides are those that this process last read or wrote.
        case reading
        /// The records of the history; the last record has this time. Later changes by hand are unknown.
        case history(FlagTimestamp)
        /// The overrides are unknown, so none is in use.
        case nothing
    }

    let file: OverrideFile
    let evidence: Evidence
}

extension LastGood {
    /// - Parameters:
    ///   - known: the content that this process last read or wrote; `nil` if there is none.
    ///   - history: the history, with the changes of all processes.
    ///   - isDamaged: whether the override file exists and is damaged. If it was removed or emptied, its overrides were
    ///     removed, too, and the history does not apply.
    /// - Throws: why an existing history cannot be read.
    init(known: KnownFile?, history: HistoryFile, isDamaged: Bool) throws(StorageError) {
        let (current, seen) = (try history.status(), known?.history)
        let isCurrent = current != nil && current?.inode == seen?.inode && (seen?.size ?? 0) >= (current?.size ?? 0)
        if !isCurrent, isDamaged, let replayed = try history.reading(Self.replaying) {
            self = replayed
        } else {
            self.init(known)
        }
    }

    /// The content that this process last read or wrote, regardless of the history.
    init(_ known: KnownFile?) {
        self =
            known.map { LastGood(file: $0.file, evidence: .reading) }
            ?? LastGood(file: OverrideFile(), evidence: .nothing)
    }

    /// Replays records, beginning with the last one that lists all overrides; `nil` if no record lists them.
    private static func replaying(_ lines: [HistoryRecord], isWhole: Bool) -> LastGood? {
        let records = ActionLog.chain(lines, reaching: .max)
        guard let newest = records.last, let start = records.lastIndex(where: { $0.baseEntries != nil }) else {
            return nil
        }
        var file = OverrideFile(
            revision: newest.revision, entries: records[start].baseEntries ?? [:],
            contexts: records[start].baseContexts)
        for record in records[start...] { file.apply(record.steps) }
        return LastGood(file: file, evidence: .history(newest.at))
    }

    /// The error of the damaged file `path`, and which overrides are in use.
    func damage(_ reason: String, path: String) -> String {
        "Damaged at \(reason). \(evidence.sentence); the next change keeps "
            + "\(StorageError.quotedName(path)) aside and writes a new one. (\(path))"
    }
}

extension LastGood.Evidence {
    /// Which overrides are in use, as a sentence without a full stop.
    var sentence: String {
        switch self {
        case .reading: "The last good overrides stay in use"
        case .history(let time): "The last good overrides stay in use, according to the history (\(time.rfc3339))"
        case .nothing: "The last overrides are unknown, so none is in use"
        }
    }
}
