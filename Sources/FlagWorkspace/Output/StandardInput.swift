import FlagRemote
import FlagStorage
import Platform

/// Standard input, for prompts and imports.
package enum StandardInput {
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads all input.
    ///
    /// - Throws: an error if the input cannot be read, or has more bytes than a store may have.
    package static func readAll() throws(CommandFailure) -> [UInt8] {
        try CommandFailure.converting(to: .usage) { () throws(SourceError) in
            try bytes(of: STDIN_FILENO, limit: DurableFile.sizeLimit, name: "standard input")
        } sentence: {
            "Standard input \($0.sentence). Nothing was changed."
        }
    }

    /// Reads an open file or pipe to its end.
    ///
    /// - Throws: an error if it cannot be read, or has more than `limit` bytes.
    static func bytes(of descriptor: Int32, limit: Int, name: String) throws(SourceError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&input, 1, -1)
                continue
            }
            guard count >= 0 else {
                let reason = String(cString: strerror(errno))
                throw SourceError(code: .unreadable, path: name, sentence: "cannot be read: \(reason)")
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        throw SourceError(code: .unreadable, path: name, sentence: "has more than \(limit) bytes")
    }

    /// Makes the terminal of the process the standard input, after a document was read from there, so that the menu gets
    /// its keys.
    package static func useTerminal() {
        guard !isTerminal else { return }
        let descriptor = open("/dev/tty", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        dup2(descriptor, STDIN_FILENO)
        close(descriptor)
    }
}
