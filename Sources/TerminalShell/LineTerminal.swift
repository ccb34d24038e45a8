import CNcurses
import Platform

/// Standard input and output for line mode. Only text and line feeds are written. Lines are edited by the terminal, by
/// an editor that contains the terminal, or by a screen reader.
public final class LineTerminal {
    /// The event that ended a call of `wait`.
    public enum Arrival: Sendable, Equatable {
        /// A line was typed.
        case line(String)
        /// The input has ended.
        case endOfInput
        /// There are messages in the mailbox.
        case mail
        /// Ctrl-C was pressed.
        case interrupt
        /// The time limit was reached.
        case timeOut
    }

    private let signals = SignalPipe()
    /// Input that is not a complete line yet, or that has not been returned yet.
    private var buffer: [UInt8] = []
    private var isAtEnd = false
    /// The maximum number of bytes without a line feed: 16 MiB, twice the size limit of a store's document.
    private static let lineLimit = 16 << 20

    /// Installs handlers for Ctrl-C and for the signals that request an end.
    ///
    /// - Throws: `noInput` if standard input cannot be read; `cannotStart` if the process has no descriptor left.
    public init() throws(TerminalError) {
        guard Self.isInputReadable else { throw .noInput }
        guard signals.reading >= 0, ls_install(signals.writing) else { throw .cannotStart }
    }

    private static var isInputReadable: Bool {
        let flags = fcntl(STDIN_FILENO, F_GETFL)
        var status = stat()
        guard flags >= 0, flags & O_ACCMODE != O_WRONLY, fstat(STDIN_FILENO, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFDIR
    }

    /// Restores the signal handlers, and raises the signal that requested an end, if any. By default this signal ends
    /// the process.
    public func leave() {
        ls_uninstall()
        let signal = en_take()
        if signal != 0 { raise(signal) }
    }

    /// Whether lines are typed on a terminal. A terminal echoes the typed lines.
    public var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

    /// The control that effects receive in line mode.
    public var control: TerminalControl { .lines }

    /// Waits for the first event.
    ///
    /// - Parameters:
    ///   - mailbox: a descriptor that is readable while there are messages.
    ///   - takesLines: whether a line ends the wait; if `false`, typed text is not read.
    ///   - milliseconds: the maximum wait; -1 for no limit.
    /// - Throws: `hungUp` if the terminal is closed, or waiting is not possible; `ended` if a signal requested an end.
    ///   Do not use the terminal after an error.
    public func wait(mailbox: Int32, takesLines: Bool, milliseconds: Int32 = -1) throws(TerminalError) -> Arrival {
        while true {
            try TerminalError.checkForEnd()
            if takesLines, let line = nextLine() { return .line(line) }
            if takesLines, isAtEnd { return .endOfInput }
            var sources = [
                pollfd(fd: mailbox, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: takesLines ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
            ]
            // A signal interrupts the wait, and its number is in the pipe.
            let count = poll(&sources, nfds_t(sources.count), milliseconds)
            let reason = errno
            let signalNumbers = signals.drain()
            try TerminalError.checkForEnd()
            if signalNumbers.contains(UInt8(SIGINT)) { return .interrupt }
            if count == 0 { return .timeOut }
            guard count > 0 else {
                // Any other error would repeat forever.
                guard reason == EINTR else { throw .hungUp }
                continue
            }
            if sources[0].revents != 0 { return .mail }
            if sources[2].revents != 0 { try read() }
        }
    }

    /// Writes text unchanged and unbuffered.
    ///
    /// - Throws: `hungUp` if the terminal is closed, `outputFull` if the disk is full or the output is closed; `ended`
    ///   if a signal requests an end.
    public func write(_ text: String) throws(TerminalError) {
        var remaining = Array(text.utf8)[...]
        while !remaining.isEmpty {
            let count = remaining.withUnsafeBytes { Platform.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                remaining = remaining.dropFirst(count)
            } else if errno != EINTR {
                let isFull = [ENOSPC, EDQUOT, EFBIG, EBADF].contains(errno)
                throw isFull ? TerminalError.outputFull(reason: errno) : .hungUp
            }
            try TerminalError.checkForEnd()
        }
    }

    /// Removes and returns the first complete line. The last line of the input may lack a line feed.
    private func nextLine() -> String? {
        guard let end = buffer.firstIndex(of: 0x0A) else {
            guard isAtEnd, !buffer.isEmpty else { return nil }
            defer { buffer = [] }
            return Self.text(buffer[...])
        }
        defer { buffer.removeFirst(end + 1) }
        return Self.text(buffer[..<end])
    }

    private static func text(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }

    private func read() throws(TerminalError) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Platform.read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        // Reading a closed terminal gives an error or the end of the input.
        guard count >= 0, buffer.count < Self.lineLimit else { throw .hungUp }
        if count == 0 { isAtEnd = true } else { buffer += chunk[..<count] }
    }
}
