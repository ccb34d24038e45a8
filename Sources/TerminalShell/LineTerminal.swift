import CNcurses
import Platform

/// Standard input and output for a program that talks in lines: nothing is sent but text and line feeds, and lines are
/// typed with whatever editing the terminal, the shell around it or a screen reader offers.
public final class LineTerminal {
    /// What ended a wait.
    public enum Arrival: Sendable, Equatable {
        /// A line was typed.
        case line(String)
        /// There will be no more lines.
        case endOfInput
        /// Messages wait in the mailbox.
        case mail
        /// Ctrl-C was pressed.
        case interrupt
        /// The time is over.
        case timeOut
    }

    private let signals = WakePipe()
    private var buffer: [UInt8] = []
    private var isAtEnd = false
    /// What is longer than this is no line that somebody typed: 16 MiB, twice the largest document that a store takes.
    private static let lineLimit = 16 << 20

    /// Takes Ctrl-C, and takes note of the signals that end the process.
    ///
    /// - Throws: `noInput` where no line can be typed, as there would be nobody to talk to; `cannotStart` when the process has
    ///   no descriptor left.
    public init() throws(TerminalError) {
        guard Self.isInputReadable else { throw TerminalError(.noInput) }
        guard signals.reading >= 0, ls_install(signals.writing) else { throw TerminalError(.cannotStart) }
    }

    private static var isInputReadable: Bool {
        let flags = fcntl(STDIN_FILENO, F_GETFL)
        var status = stat()
        guard flags >= 0, flags & O_ACCMODE != O_WRONLY, fstat(STDIN_FILENO, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFDIR
    }

    /// Gives the signals back, and hands on the one that asked for an end, if one did: by default that ends the process.
    public func leave() {
        ls_uninstall()
        let signal = en_take()
        if signal != 0 { raise(signal) }
    }

    /// Whether lines are typed on a terminal, which shows them itself.
    public var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

    /// What effects may do here.
    public var control: TerminalControl { .lines }

    /// Waits for whatever comes first.
    ///
    /// - Parameters:
    ///   - mailbox: readable when messages wait.
    ///   - takesLines: whether a line ends the wait; otherwise what is typed stays for later.
    ///   - milliseconds: for how long to wait; -1 is forever.
    /// - Throws: `hungUp` when there is nobody to ask, or no way to wait; `ended` when a signal asks for that. Then there
    ///   is to be no more talk.
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
            // A signal interrupts the wait; what it means is in the pipe.
            let count = poll(&sources, nfds_t(sources.count), milliseconds)
            let reason = errno
            let arrived = signals.drain()
            try TerminalError.checkForEnd()
            if arrived.contains(UInt8(SIGINT)) { return .interrupt }
            if count == 0 { return .timeOut }
            guard count > 0 else {
                // Whatever else keeps the system from waiting would do so at once again, for ever.
                guard reason == EINTR else { throw TerminalError(.hungUp) }
                continue
            }
            if sources[0].revents != 0 { return .mail }
            if sources[2].revents != 0 { try read() }
        }
    }

    /// Writes text as it is, at once.
    ///
    /// - Throws: `hungUp` when nobody takes it any more, `outputFull` on a full disk or a closed output; `ended` when a signal asks for that meanwhile.
    public func write(_ text: String) throws(TerminalError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send($0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let isFull = [ENOSPC, EDQUOT, EFBIG, EBADF].contains(errno)
                throw TerminalError(isFull ? .outputFull(reason: errno) : .hungUp)
            }
            try TerminalError.checkForEnd()
        }
    }

    /// The first whole line of what was read; at the end of the input the last one needs no line feed.
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
        let count = receive(&chunk)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        // A terminal that is gone reads as an error, or as the end; either way there is nobody to ask.
        guard count >= 0, buffer.count < Self.lineLimit else { throw TerminalError(.hungUp) }
        if count == 0 { isAtEnd = true } else { buffer += chunk[..<count] }
    }
}

/// `write(2)` and `read(2)`, which the methods of those names would hide.
private func send(_ bytes: UnsafeRawBufferPointer) -> Int { write(STDOUT_FILENO, bytes.baseAddress, bytes.count) }
private func receive(_ bytes: inout [UInt8]) -> Int { read(STDIN_FILENO, &bytes, bytes.count) }
