import FlagModel
import Platform

/// The file with one record a line, oldest first. It only grows.
///
/// A record is appended before the override file is replaced, so that an override which is in the file can be undone
/// wherever the writer was killed. A record whose revision the file never reached is told by the next one, which is
/// not built upon it. A torn line is skipped, and the next record begins on a new one.
struct HistoryFile: Sendable {
    let path: String
    let files: FileOperations

    /// Its length in bytes; 0 when there is none.
    var length: Int { (try? OpenFile(reading: path, files: files).status().size) ?? 0 }

    /// What stands in its place, a symbolic link itself; `nil` when nothing does or that cannot be told.
    var kind: FileStatus.Kind? { files.kind(of: path) }

    /// The records, oldest first; none when there is no file. Of a file beyond ``DurableFile/sizeLimit`` the newer part.
    func records() throws(StorageError) -> [HistoryRecord] {
        if let kind, kind != .regular, kind != .link { throw .notAFile(path, kind) }
        let bytes = try StorageError.reading(path) { () throws(SystemError) in try tail(DurableFile.sizeLimit) }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { HistoryRecord(line: $0) }
    }

    /// The last `limit` bytes, without a line that begins before them.
    private func tail(_ limit: Int) throws(SystemError) -> ArraySlice<UInt8> {
        guard try files.statusIfPresent(path) != nil else { return [] }
        let file = try OpenFile(reading: path, files: files)
        let status = try file.status()
        guard status.kind == .regular else { throw SystemError(call: "open", code: EINVAL) }
        let start = max(0, status.size - limit)
        let bytes = try file.read(from: start, limit: limit)
        guard start > 0, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return bytes[...] }
        return bytes[(end + 1)...]
    }
}
