import Platform

/// What Ctrl-C does while something is under way that nobody can call back.
enum Interruption {
    /// Does what makes a template the newest one. Ctrl-C ends the program meanwhile as ever, but not without a word: whoever
    /// typed it would take nothing for done.
    static func telling<Value>(duringPublication work: () throws(CommandFailure) -> Value) throws(CommandFailure)
        -> Value
    {
        let usual = signal(SIGINT, endPublication)
        // Whoever has started the program so that no Ctrl-C reaches it wants it to finish.
        let isIgnored = unsafeBitCast(usual, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if isIgnored { signal(SIGINT, SIG_IGN) }
        defer { signal(SIGINT, usual) }
        return try work()
    }

    /// Runs in the middle of anything, so it only makes system calls and takes no memory.
    private static let endPublication: @convention(c) (Int32) -> Void = { _ in
        let sentence: StaticString = """
            flagmenu: Interrupted during publishing. It may have been published; flagmenu versions shows it.

            """
        // Behind the ^C that a terminal shows.
        if isatty(STDERR_FILENO) == 1 { _ = write(STDERR_FILENO, "\n", 1) }
        _ = write(STDERR_FILENO, sentence.utf8Start, sentence.utf8CodeUnitCount)
        _exit(ExitStatus.interrupted.rawValue)
    }
}
