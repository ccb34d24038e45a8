import CNcurses

/// Work that must finish before a program ends by a signal, such as saving a change that the screen shows already.
///
/// SIGTERM, SIGHUP, SIGINT and a closed terminal restore the terminal at once, then wait for it, ten seconds at most. A
/// second such signal, half a second later or more, ends the process without waiting.
public enum PendingWork {
    /// Begins work that must finish. Any thread may call it.
    public static func begin() { pw_begin() }

    /// Ends the work, with any result.
    public static func end() { pw_end() }

    /// Waits until all work is finished, or until a time limit. Not on a thread that does some of it.
    ///
    /// - Returns: whether all of it is finished.
    @discardableResult public static func finish() -> Bool { pw_await() }
}
