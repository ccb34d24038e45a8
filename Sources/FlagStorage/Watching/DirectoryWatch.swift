/// Reports changes of a file: replaced, written in place, created or removed, by any process.
///
/// All folders and symbolic links on the path are watched, even missing ones, so that no change is missed if the file
/// is replaced or its folder is created later. A thread sleeps until the system reports a change. If watching fails
/// (too many watches, an unreadable folder), the thread polls every second and retries each time.
public final class DirectoryWatch: Sendable {
    private let loop: WatchLoop

    /// Watches the file `path`, or the names in the folder `path`, until ``cancel()`` or the release of the last
    /// reference. Neither need exist. The watch has started when this returns.
    ///
    /// - Parameters:
    ///   - isFolder: whether to watch the names in a folder. A file in it that was written in place is a change, too.
    ///   - interval: the poll interval, in milliseconds.
    ///   - isOwnFile: whether this process put the file in place and knows its content. If so, that is not reported on
    ///     Linux; other systems do not tell how a file was changed.
    ///   - onChange: called on the watch's thread, one call at a time, after one or several changes. The content of the
    ///     file may be the same as before.
    /// - Throws: `cannotWatch` if there is no thread or no descriptor left.
    package init(
        _ path: String, namesIn isFolder: Bool = false, files: FileOperations = .live, interval: Int32 = 1_000,
        makeNotifier: @escaping ChangeNotifier.Source = { () throws(SystemError) in try ChangeNotifier() },
        isOwnFile: @escaping @Sendable () -> Bool = { false }, onChange: @escaping @Sendable () -> Void
    ) throws(StorageError) {
        do throws(SystemError) {
            loop = try WatchLoop(
                WatchState(
                    path: path, namesIn: isFolder, files: files, makeNotifier: makeNotifier, isOwnFile: isOwnFile),
                interval: interval, onChange: onChange)
            try loop.start()
        } catch {
            throw .watching(path, error)
        }
    }

    deinit { loop.cancel() }

    /// Whether the file is polled at the moment, because the system does not report changes.
    var isPolling: Bool { !loop.isArmed }

    /// Ends the watch. A running call of `onChange` continues; no further one begins.
    public func cancel() { loop.cancel() }
}
