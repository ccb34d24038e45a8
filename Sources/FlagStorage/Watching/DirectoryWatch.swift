/// Reports changes of a file: replaced, written in place, created or removed, by any process.
///
/// All folders and symbolic links on the path are watched, even missing ones, so that no change is missed if the file
/// is replaced or its folder is created later. One thread sleeps until the system reports a change of any watch. If
/// watching fails (too many watches, an unreadable folder), the thread polls the file every second and retries each time.
public final class DirectoryWatch: Sendable {
    private let loop: WatchLoop
    private let number: Int

    /// Watches the file `path`, or the names in the folder `path`, until ``cancel()`` or the release of the last
    /// reference. Neither need exist. The watch has started when this returns.
    ///
    /// - Parameters:
    ///   - isFolder: whether to watch the names in a folder. A file in it that was written in place is a change, too.
    ///   - loop: the thread of the watch.
    ///   - isOwnFile: whether this process put the file in place and knows its content. If so, that is not reported on
    ///     Linux; other systems do not tell how a file was changed. Must not use a watch.
    ///   - onChange: called on the thread of all watches, one call at a time, after one or several changes. The content
    ///     of the file may be the same as before. Must return soon, as other watches wait.
    /// - Throws: `cannotWatch` if there is no thread or no descriptor left.
    package init(
        _ path: String, namesIn isFolder: Bool = false, files: FileOperations = .live, loop: WatchLoop = .shared,
        isOwnFile: @escaping @Sendable () -> Bool = { false }, onChange: @escaping @Sendable () -> Void
    ) throws(StorageError) {
        self.loop = loop
        do throws(SystemError) {
            number = try loop.add(
                WatchState(path: path, isFolder: isFolder, files: files, isOwnFile: isOwnFile, onChange: onChange))
        } catch {
            throw .watching(path, error)
        }
    }

    deinit { cancel() }

    /// Whether the file is polled at the moment, because the system does not report changes.
    var isPolling: Bool { loop.isPolling(number) }

    /// Ends the watch. A running call of `onChange` continues; no further one begins.
    public func cancel() { loop.remove(number) }
}
