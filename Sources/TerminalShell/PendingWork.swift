import CNcurses

/// Work that is finished before a signal that asks the process to end takes effect, such as saving what the screen shows
/// as made already.
///
/// SIGTERM, SIGHUP and SIGINT give the terminal back at once, then wait for it, two seconds at most. So does a program
/// whose terminal has gone away.
public enum PendingWork {
    /// Something has been asked for that is to be finished. Any thread may tell so.
    public static func begin() { pw_begin() }

    /// It is finished, whatever came of it.
    public static func end() { pw_end() }
}
