import FlagStorage
import Platform

/// The content of a regular file. Opening never blocks: pipes and devices are rejected.
public struct SourceFileBytes: Sendable {
    /// The default size limit in bytes. Larger documents are rejected before they are read.
    public static let sizeLimit = 256 << 20

    /// The whole content.
    public let bytes: [UInt8]
    /// Identifies the state of the file before it was read, by its length, the time of its last change and its inode,
    /// which changes with each atomic replacement.
    public let version: String

    /// Reads a whole file. If the file changes meanwhile, the next ``version`` differs.
    ///
    /// - Parameter limit: the maximum size in bytes; a larger file is rejected before it is read.
    public init(path: String, limit: Int = sizeLimit) throws(SourceError) {
        func failure(_ code: SourceError.Code, _ sentence: String) -> SourceError {
            SourceError(code, of: path, sentence)
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
        version = "\(status.size)-\(status.modified)-\(status.inode)"
    }
}
