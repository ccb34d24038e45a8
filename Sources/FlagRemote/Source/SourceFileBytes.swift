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

    /// A fingerprint from its parts.
    public init(size: Int64, modified: Int64, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.inode = inode
    }

    /// The fingerprint as the version of a source.
    var version: String { "\(size)-\(modified)-\(inode)" }

    init(_ status: stat) {
        self.init(
            size: Int64(status.st_size), modified: status.modifiedNanoseconds, inode: UInt64(status.st_ino))
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
        // Without O_NONBLOCK, opening a pipe that has no writer would block forever.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? failure(.missing, "no such file") : failure(.unreadable, Self.reason(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.unreadable, Self.reason(errno)) }
        if let kind = Self.kindOfOtherThanFile(status) {
            throw failure(.notAFile, "this is \(kind), expected a file")
        }
        guard status.st_size <= limit else {
            throw failure(.tooLarge, "the file has \(status.st_size) bytes; at most \(limit) are read")
        }
        do throws(SystemFailure) {
            bytes = try Self.read(descriptor, size: Int(status.st_size))
        } catch {
            throw failure(.unreadable, Self.reason(error.code))
        }
        fingerprint = FileFingerprint(status)
    }

    /// A system error code in words.
    private static func reason(_ code: CInt) -> String { "cannot be read: \(String(cString: strerror(code)))" }

    private struct SystemFailure: Error { let code: CInt }

    private static func kindOfOtherThanFile(_ status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a directory"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    /// Reads at most `size` bytes into one buffer. If the file has grown since its size was read, the rest is not read.
    private static func read(_ descriptor: Int32, size: Int) throws(SystemFailure) -> [UInt8] {
        var failure: SystemFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
            guard let start = room.baseAddress else { return }
            while count < size {
                let received = pread(descriptor, start + count, size - count, off_t(count))
                if received < 0, errno == EINTR { continue }
                if received < 0 { failure = SystemFailure(code: errno) }
                guard received > 0 else { return }
                count += received
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
