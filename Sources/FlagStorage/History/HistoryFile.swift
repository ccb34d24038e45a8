import FlagModel
import Platform

/// The file with one record a line, oldest first. Its oldest records go when it has grown too long; see ``lengthLimit(forOverridesOf:)``.
///
/// A record is appended before the override file is replaced, so that an override which is in the file can be undone
/// wherever the writer was killed. A record whose revision the file never reached is told by the next one, which is
/// not built upon it. A torn line is skipped, and the next record begins on a new one.
struct HistoryFile: Sendable {
    let path: String
    let files: FileOperations

    /// How much is read first: enough for a few hundred records.
    private static let firstWindow = 64 * 1024

    /// The length in bytes beyond which a history loses its older half: 8 MiB, some 30,000 changes of one flag. More for a large
    /// override file of `size` bytes, as the first record after that lists all overrides, and would itself be too long.
    static func lengthLimit(forOverridesOf size: Int) -> Int { max(8 * 1_048_576, 4 * size) }

    /// What stands in its place, a symbolic link itself; `nil` when nothing does or that cannot be told.
    var kind: FileStatus.Kind? { files.kind(of: path) }

    /// How far it reaches now.
    func mark() throws(StorageError) -> HistoryMark {
        try StorageError.reading(path) { () throws(SystemError) in
            HistoryMark(try ResolvedPath(following: path, files: files).status)
        }
    }

    /// What `take` makes of the newest records, oldest first: of a few of them, and of more for as long as it returns `nil`.
    /// There are none if there is no file.
    ///
    /// - Parameter take: whether it has got all records is its second argument; then it must return something.
    func reading<Result>(
        _ take: (_ records: [HistoryRecord], _ isWhole: Bool) -> Result?
    ) throws(StorageError) -> Result? {
        if let kind, kind != .regular, kind != .link { throw .notAFile(path, kind) }
        return try StorageError.reading(path) { () throws(SystemError) in
            guard try ResolvedPath(following: path, files: files).status != nil else { return take([], true) }
            let file = try OpenFile(reading: path, files: files)
            let status = try file.status()
            guard status.kind == .regular else { throw SystemError(call: "open", code: EINVAL) }
            // Of a file beyond the limit the newer part.
            return try Self.newest(of: file, size: status.size, limit: DurableFile.sizeLimit) { end in
                take(end.lines.compactMap { HistoryRecord(line: $0) }, end.isWhole)
            }
        }
    }

    /// What `take` makes of the end of a history: of a short one, and of longer ones for as long as it returns `nil`.
    ///
    /// - Parameters:
    ///   - size: the length of the file in bytes.
    ///   - limit: how many bytes of it there are at most.
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
    /// Those that are whole at their beginning, the oldest first.
    let lines: [ArraySlice<UInt8>]
    /// Whether the last of them was torn.
    let endsInsideLine: Bool
    /// Whether there are no others that can be had.
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

/// How far a history reaches: which file, and how long it is.
struct HistoryMark: Sendable, Equatable {
    private let inode: UInt64?
    private let length: Int

    init(_ status: FileStatus?) { (inode, length) = (status?.inode, status?.size ?? 0) }

    /// Whether who has read this far has seen all of what reaches to `other`. A history that was removed tells nothing new.
    func covers(_ other: HistoryMark) -> Bool {
        other.length == 0 || (inode == other.inode && length >= other.length)
    }
}
