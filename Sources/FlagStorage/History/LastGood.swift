import FlagModel

/// What this process knows of the file from having read or written it.
struct KnownFile: Sendable {
    let file: OverrideFile
    /// The bytes that it was understood from, whole; `nil` where they were not, or where it was written.
    let content: [UInt8]?
    /// How long the history was then; a longer one tells of changes that this process has not seen.
    let historyLength: Int
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
    init(known: KnownFile?, history: HistoryFile?, isDamaged: Bool) {
        let isCurrent = known.map { ($0.historyLength >= history?.length ?? 0) } ?? false
        if !isCurrent, isDamaged, let records = try? history?.records(), let replayed = Self.replaying(records) {
            self = replayed
        } else if let known {
            self.init(file: known.file, evidence: .reading)
        } else {
            self.init(file: OverrideFile(), evidence: .nothing)
        }
    }

    private init(file: OverrideFile, evidence: Evidence) {
        self.file = file
        self.evidence = evidence
    }

    /// What the records add up to, from the last one that says what it found; `nil` when none does.
    private static func replaying(_ lines: [HistoryRecord]) -> LastGood? {
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
        case .history(let time): "The last good overrides stay in use, as far as the history tells (\(time.rfc3339))"
        case .nothing: "Which overrides held last is not known, so none is in use"
        }
    }
}
