import FlagModel
import Platform

/// The file of the history: one record per line, oldest first. The oldest records of a long history are removed; see
/// ``lengthLimit(forOverridesOf:)``.
///
/// A record is appended before the override file is replaced, so that every override in that file can be undone, even
/// if the writer is killed. If a writer was killed before it replaced the override file, the next record is not based
/// on that writer's record. Readers skip a torn line, and the next record begins on a new line.
struct HistoryFile: Sendable {
    let path: String
    let files: FileOperations

    /// The number of bytes at the end to read first: a few hundred records.
    private static let firstWindow = 64 * 1024

    /// The length in bytes above which the older half of a history is removed: 8 MiB, about 30,000 changes of one flag.
    /// The limit is higher for a large override file of `size` bytes, because the next record lists all overrides and
    /// alone could exceed 8 MiB.
    static func lengthLimit(forOverridesOf size: Int) -> Int { max(8 * 1_048_576, 4 * size) }

    /// The kind of the file, without following a link; `nil` if nothing exists or it cannot be read.
    var kind: FileStatus.Kind? { files.kind(of: path) }

    /// The status of the file, with links resolved; `nil` if nothing exists there.
    func status() throws(StorageError) -> FileStatus? {
        try StorageError.duringRead(of: path, ResolvedPath(following: path, files: files).status)
    }

    /// Calls `body` with the newest records, oldest first. As long as `body` returns `nil`, calls it again with more
    /// records. Returns the last result of `body`. If the file is missing, `records` is empty.
    ///
    /// - Parameter body: `isWhole` is `true` in the last call, when there are no more records to read.
    func reading<Result>(
        _ body: (_ records: [HistoryRecord], _ isWhole: Bool) -> Result?
    ) throws(StorageError) -> Result? {
        if let kind, kind != .regular, kind != .link { throw .notAFile(path, kind) }
        do throws(SystemError) {
            guard try ResolvedPath(following: path, files: files).status != nil else { return body([], true) }
            let file = try OpenFile(reading: path, files: files)
            let status = try file.status()
            guard status.kind == .regular else { throw SystemError(call: "open", code: EINVAL) }
            // If the file is larger than the limit, only its end is read.
            return try Self.newest(of: file, size: status.size, limit: DurableFile.sizeLimit) { end in
                body(end.lines.compactMap { HistoryRecord(line: $0) }, end.isWhole)
            }
        } catch {
            throw .reading(path, error)
        }
    }

    /// Calls `body` with the end of a history. As long as `body` returns `nil`, calls it again with longer ends.
    /// Returns the last result of `body`.
    ///
    /// - Parameters:
    ///   - size: the length of the file in bytes.
    ///   - limit: the maximum number of bytes to read.
    static func newest<Result>(
        of file: borrowing OpenFile, size: Int, limit: Int = .max, _ body: (HistoryEnd) -> Result?
    ) throws(SystemError) -> Result? {
        var window = firstWindow
        while true {
            let isWhole = window >= min(size, limit)
            let end = try HistoryEnd(of: file, size: size, last: min(window, limit), isWhole: isWhole)
            if let result = body(end) { return result }
            if isWhole { return nil }
            window *= 8
        }
    }
}

/// The last lines of a history.
struct HistoryEnd {
    /// The complete lines, the oldest first.
    let lines: [ArraySlice<UInt8>]
    /// Whether the last line is torn, that is, has no line feed at its end.
    let endsInsideLine: Bool
    /// Whether there are no earlier lines to read.
    let isWhole: Bool

    /// Reads the lines in the last `limit` bytes.
    init(of file: borrowing OpenFile, size: Int, last limit: Int, isWhole: Bool) throws(SystemError) {
        let start = max(0, size - limit)
        let bytes = try file.read(from: start, limit: min(limit, size))
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        self.lines = lines.dropFirst(start > 0 ? 1 : 0).filter { !$0.isEmpty }
        endsInsideLine = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
        self.isWhole = isWhole
    }
}
