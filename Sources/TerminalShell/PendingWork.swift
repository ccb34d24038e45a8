import CNcurses

/// Work that must finish before a program ends by a signal, such as saving a change that the screen shows already.
///
/// After SIGTERM, SIGHUP, SIGINT or a hang-up, the program restores the terminal immediately, then waits for such work,
/// ten seconds at most. A second such signal, half a second later or more, ends the process without waiting.
public enum PendingWork {
    /// Begins work that must finish. Any thread may call it.
    public static func begin() { pw_begin() }

    /// Ends the work, whether it succeeded or failed.
    public static func end() { pw_end() }

    /// Waits until all work is finished, or until a time limit. Do not call on a thread that does such work.
    ///
    /// - Returns: whether all work is finished.
    @discardableResult public static func finish() -> Bool { pw_await() }
}
