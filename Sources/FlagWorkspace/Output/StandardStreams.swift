package import FlagModel
import Platform
import TerminalShell
import TerminalUI

/// The stream for data. A buffer reduces the number of writes, for example for a list of 100,000 flags.
package enum StandardOutput {
    /// Opens a substitute for each stream that the calling program has closed. Otherwise the next opened file would get
    /// the descriptor and the output of the stream. Reading and writing a substitute fail, as for a closed stream.
    package static func fillGaps() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// A command prints with one thread at a time.
    private nonisolated(unsafe) static var buffer: [UInt8] = []
    /// The `errno` value of the first error. After an error, no more output is sent, and `flush` throws an error.
    private nonisolated(unsafe) static var failure: Int32?
    private static let bufferSize = 65_536

    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes text unchanged. Use ``write(lines:)`` for external text.
    package static func write(_ text: String) {
        buffer += text.utf8
        if buffer.count >= bufferSize { send() }
    }

    /// Writes lines with control characters escaped.
    package static func write(lines: [String]) {
        let isTerminal = isTerminal
        for line in lines { write(line.shown(onTerminal: isTerminal) + "\n") }
    }

    /// Flushes the buffer.
    ///
    /// - Throws: an error if standard output fails, such as on a full disk.
    package static func flush() throws(CommandFailure) {
        send()
        guard let failure else { return }
        throw CommandFailure(.store, "Standard output cannot be written: \(String(cString: strerror(failure))).")
    }

    private static func send() {
        if failure == nil { failure = send(buffer, to: STDOUT_FILENO) }
        buffer = []
    }

    /// Writes all bytes; returns the `errno` value of an error, else `nil`.
    package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let count = remaining.withUnsafeBytes { Platform.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                remaining = remaining.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

extension JSONOutput {
    /// Writes the value and a newline to standard output.
    package func print(indented: Bool = true) {
        StandardOutput.write(text(indented: indented) + "\n")
    }
}

/// The stream for messages, unbuffered.
package enum StandardError {
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes text unchanged. Errors are ignored, because they cannot be reported.
    package static func write(_ text: String) {
        _ = StandardOutput.send(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Prints a sentence as a line.
    package static func printLine(_ sentence: String) { write(sentence.shown(onTerminal: isTerminal) + "\n") }

    /// Prints a warning after the program's name.
    package static func warn(_ sentence: String) { write("flagmenu: \(sentence.shown(onTerminal: isTerminal))\n") }
}

extension String {
    /// The text with control characters escaped, in the characters of the locale.
    var asTerminalText: String { DisplayText.safe(self, charset: TerminalLocale.charset) }

    /// The text with control characters escaped. If the stream is not a terminal, nothing is simplified or left out, so
    /// that programs can read keys from the output, which is then always UTF-8.
    package func shown(onTerminal isTerminal: Bool) -> String {
        isTerminal ? asTerminalText : DisplayText.lossless(self, charset: .unicode)
    }
}
