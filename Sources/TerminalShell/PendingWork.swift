import CNcurses

/// Work that is finished before a program that was asked to end does so, such as saving what the screen shows as made
/// already.
///
/// SIGTERM, SIGHUP, SIGINT and a terminal that goes away give the terminal back at once, then wait for it, ten seconds at
/// most. A second such signal, half a second later or more, ends the process without waiting.
public enum PendingWork {
    /// Something has been asked for that is to be finished. Any thread may tell so.
    public static func begin() { pw_begin() }

    /// It is finished, whatever came of it.
    public static func end() { pw_end() }

    /// Waits until all of it is finished, or has had its time. Not on a thread that does some of it.
    ///
    /// - Returns: whether all of it is finished.
    @discardableResult public static func finish() -> Bool { pw_await() }
}
