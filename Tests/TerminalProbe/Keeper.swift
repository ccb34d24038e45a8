import Platform

/// Runs this program again as a separate job, as an interactive shell does.
///
/// Standard input is a socket to the test. The keeper writes `started PID`, `stopped`, `exited N` and `signaled N`, one
/// per line, and reads `f` (continue the stopped job in the foreground) and `b` (in the background). The keeper ends
/// when the socket closes.
struct Keeper {
    /// A copy, because the terminal becomes standard input.
    private let socket = dup(STDIN_FILENO)
    private let terminal: String
    private let arguments: [String]

    /// - Parameter arguments: the terminal's path, then the program's own arguments.
    init(arguments: [String]) {
        terminal = arguments.first ?? "/dev/null"
        self.arguments = Array(arguments.dropFirst())
    }

    func run() -> Int32 {
        takeTerminal()
        // Ignores a hang-up of the terminal, so that the end of the job is still reported.
        signal(SIGHUP, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
        guard let job = spawn() else { return 1 }
        report("started \(job)")
        while true {
            var status: Int32 = 0
            guard waitpid(job, &status, WUNTRACED) == job else { return 1 }
            guard status & 0xFF == 0x7F else { return end(status) }
            tcsetpgrp(STDIN_FILENO, getpgrp())
            report("stopped")
            guard let command = readCommand() else { return 1 }
            if command == UInt8(ascii: "f") { tcsetpgrp(STDIN_FILENO, job) }
            kill(-job, SIGCONT)
        }
    }

    /// Starts a new session. The terminal that it opens first becomes the controlling terminal.
    private func takeTerminal() {
        setsid()
        let opened = open(terminal, O_RDWR)
        _ = ioctl(opened, UInt(TIOCSCTTY), 0)
        for standard in 0...2 { dup2(opened, Int32(standard)) }
        if opened > 2 { close(opened) }
    }

    private func end(_ status: Int32) -> Int32 {
        let isExit = status & 0x7F == 0
        report(isExit ? "exited \(status >> 8 & 0xFF)" : "signaled \(status & 0x7F)")
        _ = readCommand()
        return 0
    }

    private func spawn() -> pid_t? {
        #if os(Linux)
        var attributes = posix_spawnattr_t()
        #else
        var attributes: posix_spawnattr_t?
        #endif
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGTTOU)
        if !arguments.contains("--ignore-hangup") { sigaddset(&defaults, SIGHUP) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var words = ([CommandLine.arguments[0], "--foreground"] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var job: pid_t = 0
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return posix_spawn(&job, CommandLine.arguments[0], nil, &attributes, &words, Self.environment) == 0 ? job : nil
    }

    private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        #if os(Linux)
        environ
        #else
        _NSGetEnviron().pointee
        #endif
    }

    private func report(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(socket, bytes, bytes.count)
    }

    private func readCommand() -> UInt8? {
        var byte: UInt8 = 0
        return read(socket, &byte, 1) == 1 ? byte : nil
    }
}
