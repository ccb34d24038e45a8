import Platform
import Synchronization
import TerminalShell
import TerminalUI

/// The three standard streams.
enum StandardStreams {
    /// Opens a substitute for streams that the caller closed, so that no other file gets their numbers and their
    /// output. Using one fails as if it were closed.
    static func fillGaps() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// The stream for data. Buffered: a list of 100,000 flags is a few writes, not 100,000.
enum StandardOutput {
    private struct Buffer {
        var bytes: [UInt8] = []
        /// The error that ended all output; the last flush reports it.
        var failure: Int32?
    }

    private static let buffer = Mutex(Buffer())
    private static let bufferSize = 65_536

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes text unchanged. External text is written by ``write(lines:)``.
    static func write(_ text: String) {
        buffer.withLock { buffer in
            buffer.bytes += text.utf8
            if buffer.bytes.count >= bufferSize { send(&buffer) }
        }
    }

    /// Writes lines with control characters escaped.
    static func write(lines: [String]) {
        let isTerminal = isTerminal
        for line in lines { write(line.shown(onTerminal: isTerminal) + "\n") }
    }

    /// Flushes the buffer.
    ///
    /// - Throws: a sentence if standard output fails, such as on a full disk.
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

    /// Writes all bytes; returns the error number if that fails.
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

/// The stream for messages, unbuffered.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text unchanged; an error is ignored, as it could not be reported.
    static func write(_ text: String) {
        _ = StandardOutput.send(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Prints a sentence on a line of its own.
    static func say(_ sentence: String) { write(sentence.shown(onTerminal: isTerminal) + "\n") }

    /// Prints a warning after the program's name.
    static func warn(_ sentence: String) { write("flagmenu: \(sentence.shown(onTerminal: isTerminal))\n") }
}

extension String {
    /// The text with control characters escaped, in the characters of the locale.
    var asTerminalText: String { DisplayText.safe(self, charset: TerminalLocale.charset) }

    /// The text for a stream. If it is not a terminal nothing is shortened to what cells can show, so that a program
    /// can use a key in it.
    func shown(onTerminal isTerminal: Bool) -> String {
        isTerminal ? asTerminalText : DisplayText.whole(self, charset: TerminalLocale.charset)
    }
}
