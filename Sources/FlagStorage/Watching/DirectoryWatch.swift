/// Tells when a file changes: replaced, written in place, created or removed, by whichever process.
///
/// The folders on the way to the file are watched, symbolic links and missing folders included, so nothing is lost when
/// the file is replaced or its folder comes later. The waiting thread sleeps until the system wakes it. Where watching
/// is impossible (too many watches, an unreadable folder) it looks once a second and tries again each time.
public final class DirectoryWatch: Sendable {
    /// How changes are noticed.
    enum Mode: String, Sendable {
        /// The system tells, within milliseconds.
        case watching
        /// Somebody looks once a second.
        case polling
    }

    /// How long a look is waited for while polling, in milliseconds.
    private static let pollInterval: Int32 = 1000

    private let loop: WatchLoop

    /// Watches the file `path`, which need not be there, from before this returns until ``cancel()`` or the last
    /// reference goes.
    ///
    /// - Parameter onChange: called on the watch's own thread, one call at a time, after one or several changes. A
    ///   call may turn out to be for nothing: compare what is read.
    /// - Throws: `cannotWatch` when there is no thread or no descriptor to be had.
    package convenience init(
        _ path: String, files: FileOperations = .live, onChange: @escaping @Sendable () -> Void
    ) throws(StorageError) {
        try self.init(
            path, files: files, interval: Self.pollInterval,
            makeNotifier: { () throws(SystemError) in try systemNotifier() },
            onChange: onChange
        )
    }

    init(
        _ path: String, files: FileOperations, interval: Int32, makeNotifier: @escaping WatchState.NotifierSource,
        onChange: @escaping @Sendable () -> Void
    ) throws(StorageError) {
        do throws(SystemError) {
            loop = try WatchLoop(
                path: path, files: files, interval: interval, makeNotifier: makeNotifier, onChange: onChange)
            try loop.start()
        } catch {
            throw .watching(path, error)
        }
    }

    deinit { loop.cancel() }

    /// How changes are noticed now.
    var mode: Mode { loop.isArmed ? .watching : .polling }

    /// Ends the watch. A report that has begun may still be running; none begins afterwards.
    public func cancel() { loop.cancel() }
}

/// The notifier of the system that this was built for.
func systemNotifier() throws(SystemError) -> any ChangeNotifier {
    #if canImport(Darwin)
    try KqueueNotifier()
    #else
    try InotifyNotifier()
    #endif
}
