package import FlagModel
package import FlagRemote
import FlagSourceFile
import Platform
import Synchronization

/// A document in standard input or a pipe, such as `<(curl …)` in a shell. It is read once, when it is needed first.
package struct PipeSource: RemoteSource {
    /// What was read from pipes, by path. A second reader of a pipe would get nothing.
    private static let contents = Mutex<[String: Result<[UInt8], SourceError>]>([:])

    /// How long a writer is awaited, in milliseconds.
    private static let writerTimeout: Int32 = 2_000

    private let path: String
    private let file: FileSource

    /// A source at a path; `nil` if this is not a pipe.
    package init?(path: String, evaluate: DocumentEvaluation? = nil) {
        guard Self.isPipe(path) else { return nil }
        (self.path, file) = (path, FileSource(path: path, evaluate: evaluate))
    }

    /// Whether a path means standard input.
    package static func isStandardInput(_ path: String) -> Bool {
        [SourceName.standardInput, "/dev/stdin", "/dev/fd/0"].contains(path)
    }

    /// Whether a path leads to a pipe, or means standard input.
    package static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return isStandardInput(path) || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    package var identity: SourceIdentity { SourceIdentity("pipe:\(path)") }
    package var name: String { Self.isStandardInput(path) ? "standard input" : path }
    package let isCached = false

    package func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try file.decode(bytes) }

    package func readSynchronously() throws(SourceError) -> FetchResult? {
        let result = Self.contents.withLock { contents in
            if let known = contents[path] { return known }
            let result = Result { () throws(SourceError) in try readAll() }
            contents[path] = result
            return result
        }
        return .values(try result.get(), version: nil)
    }

    private func readAll() throws(SourceError) -> [UInt8] {
        guard !Self.isStandardInput(path) else {
            guard !StandardInput.isTerminal else { throw failure("this is a terminal; pipe a document into flagmenu") }
            return try StandardInput.bytes(of: STDIN_FILENO, limit: SourceFileBytes.sizeLimit, name: name)
        }
        // Opening a pipe that has no writer would block for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        // A writer may open the pipe a moment later.
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&input, 1, Self.writerTimeout)
        let bytes = try StandardInput.bytes(of: descriptor, limit: SourceFileBytes.sizeLimit, name: name)
        guard !bytes.isEmpty else { throw failure("this is a pipe, and nothing was written to it") }
        return bytes
    }

    private func failure(_ sentence: String) -> SourceError {
        SourceError(code: .unreadable, path: name, sentence: sentence)
    }
}
