import FlagModel
import Platform

/// The file with one record per line, oldest first. Its oldest records are removed if it is too long; see
/// ``lengthLimit(forOverridesOf:)``.
///
/// A record is appended before the override file is replaced, so that an override in the file can always be undone,
/// even if the writer was killed. The next record, which is not based on it, shows that its revision was never reached.
/// A torn line is skipped, and the next record begins on a new one.
struct HistoryFile: Sendable {
    let path: String
    let files: FileOperations

    /// How much is read first: a few hundred records.
    private static let firstWindow = 64 * 1024

    /// The length in bytes above which a history loses its older half: 8 MiB, some 30,000 changes of one flag. More for
    /// a large override file of `size` bytes, as the first record after that lists all overrides, and would itself be
    /// too long.
    static func lengthLimit(forOverridesOf size: Int) -> Int { max(8 * 1_048_576, 4 * size) }

    /// The kind of file, without following a link; `nil` if there is nothing or it is not known.
    var kind: FileStatus.Kind? { files.kind(of: path) }

    /// Its current length.
    func mark() throws(StorageError) -> HistoryMark {
        try StorageError.reading(path) { () throws(SystemError) in
            HistoryMark(try ResolvedPath(following: path, files: files).status)
        }
    }

    /// The result of `take` for the newest records, oldest first: of a few of them, and of more as long as it returns
    /// `nil`. There are none if there is no file.
    ///
    /// - Parameter take: its second argument is whether it got all records; then it must return a result.
    func reading<Result>(
        _ take: (_ records: [HistoryRecord], _ isWhole: Bool) -> Result?
    ) throws(StorageError) -> Result? {
        if let kind, kind != .regular, kind != .link { throw .notAFile(path, kind) }
        return try StorageError.reading(path) { () throws(SystemError) in
            guard try ResolvedPath(following: path, files: files).status != nil else { return take([], true) }
            let file = try OpenFile(reading: path, files: files)
            let status = try file.status()
            guard status.kind == .regular else { throw SystemError(call: "open", code: EINVAL) }
            // Above the limit, the newer part of a file.
            return try Self.newest(of: file, size: status.size, limit: DurableFile.sizeLimit) { end in
                take(end.lines.compactMap { HistoryRecord(line: $0) }, end.isWhole)
            }
        }
    }

    /// The result of `take` for the end of a history: of a short one, and of longer ones as long as it returns `nil`.
    ///
    /// - Parameters:
    ///   - size: the length of the file in bytes.
    ///   - limit: the most bytes to read.
    static func newest<Result>(
        of file: borrowing OpenFile, size: Int, limit: Int = .max, _ take: (HistoryEnd) -> Result?
    ) throws(SystemError) -> Result? {
        var window = firstWindow
        while true {
            let isWhole = window >= min(size, limit)
            let end = try HistoryEnd(of: file, size: size, last: min(window, limit), isWhole: isWhole)
            if let result = take(end) { return result }
            if isWhole { return nil }
            window *= 8
        }
    }
}

/// The last lines of a history.
struct HistoryEnd {
    /// The complete lines, the oldest first.
    let lines: [ArraySlice<UInt8>]
    /// Whether the last line was torn.
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

/// The length of a history, and which file it is.
struct HistoryMark: Sendable, Equatable {
    private let inode: UInt64?
    private let length: Int

    init(_ status: FileStatus?) { (inode, length) = (status?.inode, status?.size ?? 0) }

    /// Whether a reader up to here has seen everything up to `other`. A removed history has nothing new.
    func covers(_ other: HistoryMark) -> Bool {
        other.length == 0 || (inode == other.inode && length >= other.length)
    }
}
