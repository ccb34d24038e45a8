import Platform

/// The history, opened under the lock to append a record.
///
/// No function throws: overrides are saved even if the history cannot be written. Errors are returned as sentences.
struct HistoryAppender {
    private let history: HistoryFile
    private let open: Result<OpenHistory, SystemError>
    private let shortened: Result<Bool, StorageError>

    /// - Parameter limit: the length in bytes above which the older half is removed.
    init(_ history: HistoryFile, limit: Int) {
        self.history = history
        shortened = Result { () throws(StorageError) in try history.shorten(beyond: limit) }
        open = Result { () throws(SystemError) in try OpenHistory(history) }
    }

    /// Whether older records were removed, as the history was too long.
    var isShortened: Bool { (try? shortened.get()) == true }

    /// The last record; `nil` if none can be read. The override file may have a lower revision, if the writer of the
    /// record was killed.
    var last: HistoryRecord? { (try? open.get())?.last }

    /// Appends records; returns errors as sentences for the user.
    func append(_ records: [HistoryRecord]) -> [String] {
        do throws(SystemError) {
            try open.get().append(records)
            if case .failure(let error) = shortened { return [error.sentence] }
            return []
        } catch {
            return [history.blocker(error).sentence]
        }
    }

    /// Removes the appended records, if the override file was not written. If that fails, readers ignore the records.
    func removeRecords() { (try? open.get())?.truncate() }
}

extension HistoryFile {
    /// The error that changes cannot be undone, because `cause` prevents writing their records.
    func blocker(_ cause: SystemError) -> StorageError {
        let name = StorageError.quotedName(path)
        if let kind, kind != .regular, kind != .link {
            return StorageError(
                .notAFile, path,
                "\(name) is \(kind.rawValue), not a file: changes are saved, but cannot be undone. "
                    + "Move it away.")
        }
        let advice = cause.code == EACCES || cause.code == EPERM ? " Take it over with chown, or move it away." : ""
        return StorageError(
            .cannotWrite, path,
            "\(cause.text): \(name) was not written. Changes are saved, but cannot be undone.\(advice)")
    }

    /// The last record; `nil` if there is none or it cannot be read.
    var last: HistoryRecord? {
        guard let file = try? OpenFile(reading: path, files: files), let length = try? file.status().size else {
            return nil
        }
        return (try? OpenHistory.end(of: file, length: length))?.last
    }

    /// Removes the older half of a history that is longer than `limit` bytes, but never the last record. If the process
    /// is killed meanwhile, the file is either the complete old history or the complete new history.
    ///
    /// - Returns: whether records were removed.
    fileprivate func shorten(beyond limit: Int) throws(StorageError) -> Bool {
        guard let status = try? status(), status.kind == .regular, status.size > limit else { return false }
        let end = try StorageError.duringWrite(
            of: path,
            HistoryEnd(
                of: OpenFile(reading: path, files: files), size: status.size, last: DurableFile.sizeLimit,
                isWhole: true))
        var length = 0
        let fitting = end.lines.reversed().prefix { line in
            length += line.count + 1
            return length <= limit / 2
        }
        let kept = end.lines.suffix(max(1, fitting.count))
        let bytes = Array(kept.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
        try DurableFile.replace(path, with: bytes, durability: .atomicOnly, files: files)
        return true
    }
}

private final class OpenHistory {
    private let file: OpenFile
    private let length: Int
    private let endsInsideLine: Bool
    let last: HistoryRecord?

    init(_ history: HistoryFile) throws(SystemError) {
        // `ResolvedPath` has followed all links; O_NOFOLLOW rejects a link that was created since.
        let flags = O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        let place = try ResolvedPath(following: history.path, files: history.files)
        let file = try OpenFile.openOrCreate(place.path, flags: flags, files: history.files)
        let status = try file.status()
        guard status.kind == .regular else { throw SystemError(call: "open", code: EINVAL) }
        (last, endsInsideLine) = try Self.end(of: file, length: status.size)
        length = status.size
        self.file = file
    }

    /// Reads the end of a history, and then longer ends until one contains a record.
    static func end(
        of file: borrowing OpenFile, length: Int
    ) throws(SystemError) -> (last: HistoryRecord?, endsInsideLine: Bool) {
        try HistoryFile.newest(of: file, size: length) { end in
            let last = end.lines.reversed().lazy.compactMap { HistoryRecord(line: $0) }.first
            return last != nil || end.isWhole ? (last, end.endsInsideLine) : nil
        } ?? (nil, false)
    }

    /// Appends records in one write, so that readers see whole lines or nothing. If the last line is torn, ends that
    /// line first.
    func append(_ records: [HistoryRecord]) throws(SystemError) {
        do throws(SystemError) {
            try file.write((endsInsideLine ? [UInt8(ascii: "\n")] : []) + records.flatMap(\.line))
        } catch {
            truncate()
            throw error
        }
    }

    /// Truncates the file to its length at the time of opening.
    func truncate() {
        _ = try? file.truncate(to: length)
    }
}
