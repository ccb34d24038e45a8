import CNcurses

/// Work that must finish before a program ends by a signal, such as saving a change that the screen shows already.
///
/// After SIGTERM, SIGHUP, SIGINT or a hang-up, the program restores the terminal immediately, and then waits at most
/// ten seconds for pending work. A second such signal, at least half a second later, ends the process without waiting.
public enum PendingWork {
    /// Begins work that must finish. Any thread may call it.
    public static func begin() { pw_begin() }

    /// Ends pending work, whether it succeeded or failed.
    public static func end() { pw_end() }

    /// Waits until all work is finished, or until a time limit. Must not be called on a thread that does such work.
    ///
    /// - Returns: whether all work is finished.
    @discardableResult public static func finish() -> Bool { pw_await() }
}
