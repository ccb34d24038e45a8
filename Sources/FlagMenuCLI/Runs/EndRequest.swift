import FlagWorkspace
import Platform
import Synchronization

/// Signals that request an end of this process while commands run, such as that of Ctrl-C, or of a pipe that nobody reads.
/// They end the running command, so that this process can remove or restore what the command used.
enum EndRequest {
    /// The process group of the running command; 0 if none runs.
    private static let group = Atomic<pid_t>(0)
    /// Whether a signal has requested an end.
    private static let isMade = Atomic(false)

    private static let handle: @convention(c) (Int32) -> Void = { _ in
        let savedError = errno
        // A command that ignores the first signal does not survive the second one.
        let isSecond = EndRequest.isMade.exchange(true, ordering: .sequentiallyConsistent)
        let group = EndRequest.group.load(ordering: .sequentiallyConsistent)
        if group > 0 { EndRequest.end(group, isSecond ? SIGKILL : SIGTERM) }
        errno = savedError
    }

    private static func end(_ group: pid_t, _ signal: Int32) {
        kill(-group, signal)
        kill(-group, SIGCONT)
    }

    /// Whether an end was requested.
    static var hasCome: Bool { isMade.load(ordering: .sequentiallyConsistent) }

    /// Throws `interrupted` if an end was requested.
    static func check() throws(CommandFailure) {
        if hasCome { throw CommandFailure(.interrupted, "") }
    }

    /// Runs `body`, in which signals only request an end.
    static func catching<Value>(_ body: () throws(CommandFailure) -> Value) throws(CommandFailure) -> Value {
        let previous = [SIGINT, SIGTERM, SIGHUP, SIGPIPE].map { number in
            let action = signal(number, handle)
            // As after `nohup`.
            let isIgnored = unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            if isIgnored { signal(number, action) }
            return (number, action)
        }
        defer { for (number, action) in previous { signal(number, action) } }
        return try body()
    }

    /// Waits for the end of a command that leads a process group, and returns its status as from `wait(2)`.
    static func status(of command: pid_t) throws(CommandFailure) -> Int32 {
        group.store(command, ordering: .sequentiallyConsistent)
        defer { group.store(0, ordering: .sequentiallyConsistent) }
        // A signal may have come before the group was known.
        if hasCome { end(command, SIGTERM) }
        var status: Int32 = 0
        while waitpid(command, &status, 0) == -1, errno == EINTR {}
        try check()
        return status
    }

    /// Reads a line of standard input; `nil` at its end.
    ///
    /// - Throws: `interrupted` if an end is requested before; a function of the C library would go on reading.
    static func readLine() throws(CommandFailure) -> String? {
        var (bytes, byte) = ([UInt8](), UInt8(0))
        while byte != UInt8(ascii: "\n") {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            while poll(&input, 1, 100) <= 0 { try check() }
            guard read(STDIN_FILENO, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
