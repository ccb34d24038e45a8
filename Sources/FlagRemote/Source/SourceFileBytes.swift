import FlagStorage
import Platform

/// Identifies a state of a file without reading the content.
public struct FileFingerprint: Sendable, Hashable {
    /// The length in bytes.
    public let size: Int64
    /// The last change of the content, in nanoseconds since 1970.
    public let modified: Int64
    /// The inode, which changes with each atomic replacement.
    public let inode: UInt64

    /// The fingerprint as the version of a source.
    var version: String { "\(size)-\(modified)-\(inode)" }

    init(_ status: FileStatus) {
        (size, modified, inode) = (Int64(status.size), status.modified, status.inode)
    }
}

/// The content of a regular file. Opening never blocks: pipes and devices are rejected.
public struct SourceFileBytes: Sendable {
    /// The default size limit in bytes. Larger documents are rejected before they are read.
    public static let sizeLimit = 256 << 20

    /// The whole content.
    public let bytes: [UInt8]
    /// The file's state before it was read.
    public let fingerprint: FileFingerprint

    /// Reads a whole file. If the file changes meanwhile, the next ``fingerprint`` differs.
    ///
    /// - Parameter limit: the maximum size in bytes; a larger file is rejected before it is read.
    public init(path: String, limit: Int = sizeLimit) throws(SourceError) {
        func failure(_ code: SourceError.Code, _ sentence: String) -> SourceError {
            SourceError(code: code, path: path, sentence: sentence)
        }
        let (status, content): (FileStatus, [UInt8])
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a pipe that has no writer would block forever.
            let file = try OpenFile(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY, files: .live)
            status = try file.status()
            let isRead = status.kind == .regular && status.size <= limit
            content = isRead ? try file.read(limit: status.size) : []
        } catch {
            throw error.code == ENOENT
                ? failure(.missing, "no such file") : failure(.unreadable, "cannot be read: \(error.text)")
        }
        guard status.kind == .regular else {
            throw failure(.notAFile, "this is \(status.kind.rawValue), expected a file")
        }
        guard status.size <= limit else {
            throw failure(.tooLarge, "the file has \(status.size) bytes; at most \(limit) are read")
        }
        // If the file has grown since its size was read, the rest is not read.
        bytes = content.count > status.size ? Array(content.prefix(status.size)) : content
        fingerprint = FileFingerprint(status)
    }
}
