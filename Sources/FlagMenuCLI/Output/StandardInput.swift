import FlagStorage
import Platform

/// Standard input, for prompts and imports.
enum StandardInput {
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads all input.
    ///
    /// - Throws: an error if the input cannot be read, or has more bytes than a store may have.
    static func readAll() throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= DurableFile.sizeLimit {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure(.usage, "Standard input cannot be read: \(reason). Nothing was changed.")
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        throw CommandFailure(
            .usage, "Standard input has more than \(DurableFile.sizeLimit) bytes. Nothing was changed.")
    }
}
