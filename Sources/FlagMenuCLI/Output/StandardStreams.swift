import Platform
import Synchronization
import TerminalShell
import TerminalUI

/// The three streams that a program is started with.
enum StandardStreams {
    /// Puts something in the place of streams that the caller closed, so that no file of ours gets their numbers and
    /// what is meant for a stream ends up in it. Using one fails as it would if it were closed.
    static func fillGaps() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// Data goes here. Buffered: a list of 100,000 flags is a few writes, not 100,000.
enum StandardOutput {
    private struct Buffer {
        var bytes: [UInt8] = []
        /// The error that ended all output; the last flush tells.
        var failure: Int32?
    }

    private static let buffer = Mutex(Buffer())
    private static let bufferSize = 65_536

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes text as it is. What comes from outside goes through ``write(lines:)``.
    static func write(_ text: String) {
        buffer.withLock { buffer in
            buffer.bytes += text.utf8
            if buffer.bytes.count >= bufferSize { send(&buffer) }
        }
    }

    /// Writes lines so that nothing in them can act on a terminal.
    static func write(lines: [String]) {
        let isTerminal = isTerminal
        for line in lines { write(line.shown(onTerminal: isTerminal) + "\n") }
    }

    /// Sends what is buffered on its way.
    ///
    /// - Throws: a sentence when standard output takes no more, such as on a full disk.
    static func flush() throws(CommandFailure) {
        let failure = buffer.withLock { buffer in
            send(&buffer)
            return buffer.failure
        }
        guard let failure else { return }
        throw CommandFailure(.store, "Standard output cannot be written: \(String(cString: strerror(failure))).")
    }

    private static func send(_ buffer: inout Buffer) {
        if buffer.failure == nil { buffer.failure = send(buffer.bytes, to: STDOUT_FILENO) }
        buffer.bytes = []
    }

    /// Writes all bytes; the error number where that is not possible.
    fileprivate static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Platform.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

/// Words go here, at once.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text as it is; where nobody can read it, nobody can be told either.
    static func write(_ text: String) {
        _ = StandardOutput.send(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Says a sentence, on a line of its own.
    static func say(_ sentence: String) { write(sentence.shown(onTerminal: isTerminal) + "\n") }

    /// Says a sentence on what is wrong, behind the program's name.
    static func warn(_ sentence: String) { write("flagmenu: \(sentence.shown(onTerminal: isTerminal))\n") }
}

extension String {
    /// The text so that nothing in it can act on a terminal, in the characters that the locale has.
    var asTerminalText: String { DisplayText.safe(self, charset: TerminalLocale.charset) }

    /// The same for a stream. Where that is no terminal nothing is cut to what cells can hold, so that a program which reads
    /// a key there can ask for it.
    func shown(onTerminal isTerminal: Bool) -> String {
        isTerminal ? asTerminalText : DisplayText.whole(self, charset: TerminalLocale.charset)
    }
}
