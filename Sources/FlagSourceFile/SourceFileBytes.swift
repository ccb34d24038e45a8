#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What tells one state of a file from another without reading it.
public struct FileFingerprint: Sendable, Hashable {
    /// Length in bytes.
    public let size: Int64
    /// Last change of the content, in nanoseconds since 1970.
    public let modified: Int64
    /// The file's number in its file system; a new one after each atomic replacement.
    public let inode: UInt64

    /// A fingerprint from its parts.
    public init(size: Int64, modified: Int64, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.inode = inode
    }

    init(_ status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        let nanoseconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
        self.init(
            size: Int64(status.st_size), modified: nanoseconds &+ Int64(time.tv_nsec), inode: UInt64(status.st_ino))
    }
}

/// A regular file, opened without ever blocking on something that is none.
struct SourceFileBytes {
    let bytes: [UInt8]
    let fingerprint: FileFingerprint

    /// Reads a whole file; what changes while it is read shows in the next fingerprint.
    init(path: String, limit: Int) throws(SourceError) {
        func failure(_ code: SourceError.Code, _ sentence: String) -> SourceError {
            SourceError(code: code, path: path, sentence: sentence)
        }
        // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? failure(.missing, "no such file") : failure(.unreadable, Self.reason())
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.unreadable, Self.reason()) }
        if let kind = Self.kindOfOtherThanFile(status) {
            throw failure(.notAFile, "this is \(kind), expected a file")
        }
        guard status.st_size <= limit else {
            throw failure(.tooLarge, "the file has \(status.st_size) bytes; at most \(limit) are read")
        }
        guard let bytes = Self.read(descriptor, size: Int(status.st_size), limit: limit) else {
            throw failure(.unreadable, Self.reason())
        }
        self.bytes = bytes
        fingerprint = FileFingerprint(status)
    }

    /// The reason that the last system call gave.
    private static func reason() -> String { "cannot be read: \(String(cString: strerror(errno)))" }

    private static func kindOfOtherThanFile(_ status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a directory"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    /// Asks for large pages, where the system has them: of 20 MB nearly half the time to read them goes into handing
    /// out small ones.
    private static func adviseLargePages(_ room: UnsafeMutableBufferPointer<UInt8>) {
        #if os(Linux)
            let pageSize = 4096
            guard room.count > 4 << 20, let start = room.baseAddress else { return }
            let skipped = (pageSize - Int(bitPattern: start) % pageSize) % pageSize
            // Advice: where it is not taken, pages are small.
            _ = madvise(start + skipped, (room.count - skipped) / pageSize * pageSize, MADV_HUGEPAGE)
        #endif
    }

    /// Reads to the end into one buffer of the expected size; a file that grows meanwhile is cut at the limit.
    private static func read(_ descriptor: Int32, size: Int, limit: Int) -> [UInt8]? {
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
            adviseLargePages(room)
            while count < size, let start = room.baseAddress {
                #if canImport(Darwin)
                    let received = Darwin.read(descriptor, start + count, size - count)
                #elseif canImport(Musl)
                    let received = Musl.read(descriptor, start + count, size - count)
                #else
                    let received = Glibc.read(descriptor, start + count, size - count)
                #endif
                if received < 0, errno == EINTR { continue }
                hasFailed = received < 0
                if received <= 0 { return }
                count += received
            }
        }
        return hasFailed ? nil : bytes
    }
}
