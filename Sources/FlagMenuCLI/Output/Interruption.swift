import FlagWorkspace
import Platform

/// Handles Ctrl-C during a request that cannot be undone.
enum Interruption {
    /// Runs the publish request. Ctrl-C still ends the program, but with a message, so that the user does not assume
    /// that nothing was published.
    static func reporting<Value>(duringPublication work: () throws(CommandFailure) -> Value) throws(CommandFailure)
        -> Value
    {
        let previousHandler = signal(SIGINT, endPublication)
        // If the calling program ignores Ctrl-C, so does this program, and the request is completed.
        let isIgnored = unsafeBitCast(previousHandler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if isIgnored { signal(SIGINT, SIG_IGN) }
        defer { signal(SIGINT, previousHandler) }
        return try work()
    }

    /// A signal handler, so it only makes system calls and allocates no memory.
    private static let endPublication: @convention(c) (Int32) -> Void = { _ in
        let sentence: StaticString = """
            flagmenu: Interrupted during publishing. It may have been published; flagmenu firebase versions shows it.

            """
        // The message starts on a new line, after the ^C that a terminal shows.
        if isatty(STDERR_FILENO) == 1 { _ = write(STDERR_FILENO, "\n", 1) }
        _ = write(STDERR_FILENO, sentence.utf8Start, sentence.utf8CodeUnitCount)
        _exit(ExitStatus.interrupted.rawValue)
    }
}
