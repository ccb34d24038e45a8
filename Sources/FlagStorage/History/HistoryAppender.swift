import Platform

/// The history, opened by the writer with the lock for one more record.
///
/// Nothing here throws: overrides are saved even if that cannot be recorded. Failures are returned as sentences.
struct HistoryAppender: ~Copyable {
    private let history: HistoryFile
    private let opened: Result<OpenHistory, SystemError>
    /// Whether its older records were removed.
    let isShortened: Bool
    /// Why they were not, as a sentence for the user.
    private let growth: String?

    /// - Parameters:
    ///   - owner: the owner of a new history.
    ///   - limit: the length in bytes above which the older half is removed.
    init(_ history: HistoryFile, owner: FileOwner?, limit: Int) {
        self.history = history
        do throws(StorageError) {
            isShortened = try history.shorten(beyond: limit)
            growth = nil
        } catch {
            isShortened = false
            growth = error.sentence
        }
        do throws(SystemError) {
            opened = .success(try OpenHistory(history, owner: owner))
        } catch {
            opened = .failure(error)
        }
    }

    /// The last record, whose revision the file may not have reached; `nil` if none is known.
    var last: RecordHead? {
        switch opened {
        case .success(let history): history.last
        case .failure: nil
        }
    }

    /// Appends a record; returns sentences for the user if that fails.
    func append(_ record: HistoryRecord) -> [String] {
        switch opened {
        case .success(let open):
            do throws(SystemError) {
                try open.append(record)
                return [growth].compactMap { $0 }
            } catch {
                return [history.obstacle(error).sentence]
            }
        case .failure(let error): return [history.obstacle(error).sentence]
        }
    }

    /// Removes the record again, if the file was not written. If that fails it is ignored on reading.
    func takeBack() {
        switch opened {
        case .success(let history): history.cut()
        case .failure: break
        }
    }
}

extension HistoryFile {
    /// Why a saved change cannot be undone, after `cause` prevented its record.
    func obstacle(_ cause: SystemError) -> StorageError {
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
}

extension HistoryFile {
    /// The last record; `nil` if there is none, or it cannot be read.
    var last: RecordHead? {
        guard let file = try? OpenFile(reading: path, files: files), let length = try? file.status().size else {
            return nil
        }
        return (try? OpenHistory.end(of: file, length: length))?.last
    }

    /// Removes the older half of a history that is longer than `limit` bytes, or all but the last record if that is as
    /// long. If it is killed meanwhile, the old history or the new one is complete.
    ///
    /// - Returns: whether anything was removed.
    fileprivate func shorten(beyond limit: Int) throws(StorageError) -> Bool {
        guard let status = (try? ResolvedPath(following: path, files: files))?.status, status.kind == .regular,
            status.size > limit
        else { return false }
        let lines = try StorageError.writing(path) { () throws(SystemError) in
            let file = try OpenFile(reading: path, files: files)
            return try HistoryEnd(of: file, size: status.size, last: DurableFile.sizeLimit, isWhole: true).lines
        }
        var (length, start) = (0, lines.endIndex)
        while start > 0, start == lines.endIndex || length + lines[start - 1].count < limit / 2 {
            start -= 1
            length += lines[start].count + 1
        }
        let kept = Array(lines[start...].joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
        try DurableFile.replace(path, with: kept, durability: .atomicOnly, files: files)
        return true
    }
}

private struct OpenHistory: ~Copyable {
    private let file: OpenFile
    private let length: Int
    private let endsInsideLine: Bool
    let last: RecordHead?

    init(_ history: HistoryFile, owner: FileOwner?) throws(SystemError) {
        // Links were followed and checked already; a link that was created since is not followed.
        let flags = O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        let place = try ResolvedPath(following: history.path, files: history.files)
        let file = try OpenFile.openOrCreate(place.path, flags: flags, owner: owner, files: history.files)
        let status = try file.status()
        guard status.kind == .regular else { throw SystemError(call: "open", code: EINVAL) }
        (last, endsInsideLine) = try Self.end(of: file, length: status.size)
        length = status.size
        self.file = file
    }

    /// Searches for the last record in ever larger parts of the end.
    static func end(
        of file: borrowing OpenFile, length: Int
    ) throws(SystemError) -> (last: RecordHead?, endsInsideLine: Bool) {
        try HistoryFile.newest(of: file, size: length) { end in
            let last = end.lines.reversed().lazy.compactMap { RecordHead(line: $0) }.first
            return last != nil || end.isWhole ? (last, end.endsInsideLine) : nil
        } ?? (nil, false)
    }

    /// One write, so that other readers see the whole line or nothing. A torn line before it stays on its own.
    func append(_ record: HistoryRecord) throws(SystemError) {
        do throws(SystemError) {
            try file.write((endsInsideLine ? [UInt8(ascii: "\n")] : []) + record.line)
        } catch {
            cut()
            throw error
        }
    }

    func cut() {
        _ = try? file.truncate(to: length)
    }
}
