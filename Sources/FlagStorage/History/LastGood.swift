import FlagModel

/// What this process has read from or written to the file.
struct KnownFile: Sendable {
    let file: OverrideFile
    /// The bytes that were parsed; `nil` if parsing failed, or if they were written.
    let content: [UInt8]?
    /// The length of the history then; a longer one has changes that this process has not seen. `nil` if that was the
    /// case already, or is not known.
    let history: HistoryMark?
}

/// The overrides in use while the file cannot be read, and their evidence.
struct LastGood: Sendable {
    /// Where they come from.
    enum Evidence: Sendable, Hashable {
        /// This process read or wrote them, and there is no record since.
        case reading
        /// From the history; its last record is of this time. Later changes by hand are unknown.
        case history(Timestamp)
        /// Nothing: the overrides are not known, so there are none.
        case nothing
    }

    let file: OverrideFile
    let evidence: Evidence

    /// - Parameters:
    ///   - known: what this process has read or written; `nil` for nothing.
    ///   - history: the changes that other processes recorded.
    ///   - isDamaged: whether the file exists and is damaged. If it was removed or emptied, so were its overrides, and
    ///     the history no longer applies.
    /// - Throws: why an existing history cannot be read.
    init(known: KnownFile?, history: HistoryFile, isDamaged: Bool) throws(StorageError) {
        let now = try history.mark()
        let isCurrent = known?.history?.covers(now) ?? false
        if !isCurrent, isDamaged, let replayed = try history.reading(Self.replaying) {
            self = replayed
        } else {
            self.init(known)
        }
    }

    /// What this process has read or written, without the history.
    init(_ known: KnownFile?) {
        self =
            known.map { LastGood(file: $0.file, evidence: .reading) }
            ?? LastGood(file: OverrideFile(), evidence: .nothing)
    }

    private init(file: OverrideFile, evidence: Evidence) {
        self.file = file
        self.evidence = evidence
    }

    /// The result of replaying the records, from the last one with all overrides; `nil` if there is none.
    private static func replaying(_ lines: [HistoryRecord], isWhole: Bool) -> LastGood? {
        let records = ActionLog.chain(lines, reaching: .max)
        guard let newest = records.last, let start = records.lastIndex(where: { $0.found != nil }) else { return nil }
        var file = OverrideFile(revision: newest.revision, entries: records[start].found ?? [:])
        for record in records[start...] { file.apply(record.steps) }
        return LastGood(file: file, evidence: .history(newest.at))
    }
}

extension LastGood {
    /// The error of the damaged file `path`, and what is in use meanwhile.
    func damage(_ complaint: String, path: String) -> String {
        "Damaged at \(complaint). \(evidence.words); the next change keeps "
            + "\(StorageError.quotedName(path)) aside and writes a new one. (\(path))"
    }
}

extension LastGood.Evidence {
    /// Which overrides are in use, as a sentence that can be continued.
    var words: String {
        switch self {
        case .reading: "The last good overrides stay in use"
        case .history(let time): "The last good overrides stay in use, according to the history (\(time.rfc3339))"
        case .nothing: "The last overrides are unknown, so none is in use"
        }
    }
}
