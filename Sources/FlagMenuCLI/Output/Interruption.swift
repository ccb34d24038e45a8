import Platform

/// Ctrl-C during a request that cannot be undone.
enum Interruption {
    /// Runs the publish request. Ctrl-C ends the program meanwhile as usual, but with a message: otherwise the user
    /// would think that nothing was published.
    static func telling<Value>(duringPublication work: () throws(CommandFailure) -> Value) throws(CommandFailure)
        -> Value
    {
        let usual = signal(SIGINT, endPublication)
        // If Ctrl-C is ignored in the calling program, this one should finish.
        let isIgnored = unsafeBitCast(usual, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if isIgnored { signal(SIGINT, SIG_IGN) }
        defer { signal(SIGINT, usual) }
        return try work()
    }

    /// Runs in a signal handler, so it only makes system calls and allocates no memory.
    private static let endPublication: @convention(c) (Int32) -> Void = { _ in
        let sentence: StaticString = """
            flagmenu: Interrupted during publishing. It may have been published; flagmenu versions shows it.

            """
        // After the ^C that a terminal shows.
        if isatty(STDERR_FILENO) == 1 { _ = write(STDERR_FILENO, "\n", 1) }
        _ = write(STDERR_FILENO, sentence.utf8Start, sentence.utf8CodeUnitCount)
        _exit(ExitStatus.interrupted.rawValue)
    }
}
