import FlagModel

/// What this process knows of the file from having read or written it.
struct KnownFile: Sendable {
    let file: OverrideFile
    /// The bytes that it was understood from, whole; `nil` where they were not, or where it was written.
    let content: [UInt8]?
    /// How far the history reached then; one that reaches further tells of changes that this process has not seen. `nil` where
    /// that was the case already, or is not known.
    let history: HistoryMark?
}

/// The overrides that stay in use while the file cannot be read, and what vouches for them.
struct LastGood: Sendable {
    /// What vouches for them.
    enum Evidence: Sendable, Hashable {
        /// This process read or wrote them, and no record has come since.
        case reading
        /// The history adds up to them; its last record is of this time. What was done to the file by hand since nobody
        /// has seen.
        case history(Timestamp)
        /// Nothing: which overrides held is not known, so there are none.
        case nothing
    }

    let file: OverrideFile
    let evidence: Evidence

    /// - Parameters:
    ///   - known: what this process knows; `nil` when it knows nothing.
    ///   - history: where other processes recorded what they changed.
    ///   - isDamaged: whether the file is there, damaged. A file that was removed or emptied took its overrides along,
    ///     so the history of it no longer holds.
    /// - Throws: why the history is there but cannot be read.
    init(known: KnownFile?, history: HistoryFile, isDamaged: Bool) throws(StorageError) {
        let now = try history.mark()
        let isCurrent = known?.history?.covers(now) ?? false
        if !isCurrent, isDamaged, let replayed = try history.reading(Self.replaying) {
            self = replayed
        } else {
            self.init(known)
        }
    }

    /// What this process knows, without the history.
    init(_ known: KnownFile?) {
        self =
            known.map { LastGood(file: $0.file, evidence: .reading) }
            ?? LastGood(file: OverrideFile(), evidence: .nothing)
    }

    private init(file: OverrideFile, evidence: Evidence) {
        self.file = file
        self.evidence = evidence
    }

    /// What the records add up to, from the last one that says what it found; `nil` when none does.
    private static func replaying(_ lines: [HistoryRecord], isWhole: Bool) -> LastGood? {
        let records = ActionLog.chain(lines, reaching: .max)
        guard let newest = records.last, let start = records.lastIndex(where: { $0.found != nil }) else { return nil }
        var file = OverrideFile(revision: newest.revision, entries: records[start].found ?? [:])
        for record in records[start...] { file.apply(record.steps) }
        return LastGood(file: file, evidence: .history(newest.at))
    }
}

extension LastGood {
    /// That the file `path` is damaged, where and how, and what is in use meanwhile.
    func damage(_ complaint: String, path: String) -> String {
        "Damaged at \(complaint). \(evidence.words); the next change keeps "
            + "\(StorageError.quotedName(path)) aside and writes a new one. (\(path))"
    }
}

extension LastGood.Evidence {
    /// Which overrides are in use, as a sentence that may go on.
    var words: String {
        switch self {
        case .reading: "The last good overrides stay in use"
        case .history(let time): "The last good overrides stay in use, according to the history (\(time.rfc3339))"
        case .nothing: "The last overrides are unknown, so none is in use"
        }
    }
}
