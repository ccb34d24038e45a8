import FlagModel
import Platform

#if canImport(Darwin)
/// Watches folders and the file with kqueue, which reports that a folder changed but not which name.
///
/// The file has a watch of its own, as writes into a file do not change its folder.
struct KqueueNotifier: ChangeNotifier {
    let descriptor: Int32
    private var opened: [Int32] = []

    private static let isMovedOrRemoved = NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE

    init() throws(SystemError) {
        descriptor = try SystemError.check("kqueue", kqueue())
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    mutating func watch(_ route: WatchRoute) throws(SystemError) {
        closeOpened()
        var isAnyStopThere = false
        for stop in route.stops {
            if try add(stop.folder, NOTE_WRITE | Self.isMovedOrRemoved) { isAnyStopThere = true }
            // Missing, or it cannot be opened: the folder reports if that changes.
            let file = FilePath.join(stop.folder, stop.name)
            _ = try? add(file, NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | Self.isMovedOrRemoved)
        }
        guard isAnyStopThere else { throw SystemError(call: "kevent", code: ENOENT) }
        for folder in route.ancestors { _ = try? add(folder, Self.isMovedOrRemoved) }
    }

    /// Watches one path; `false` if there is nothing.
    private mutating func add(_ path: String, _ mask: Int32) throws(SystemError) -> Bool {
        let target = open(path, O_EVTONLY | O_CLOEXEC | O_NONBLOCK)
        guard target >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw SystemError(call: "open", code: errno)
        }
        var change = kevent(
            ident: UInt(target), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
            fflags: UInt32(mask), data: 0, udata: nil
        )
        guard kevent(descriptor, &change, 1, nil, 0, nil) == 0 else {
            let code = errno
            _ = Darwin.close(target)
            throw SystemError(call: "kevent", code: code)
        }
        opened.append(target)
        return true
    }

    mutating func drain() -> ChangeNews {
        var news = ChangeNews()
        var event = kevent()
        var noWait = timespec()
        while kevent(descriptor, nil, 0, &event, 1, &noWait) > 0 {
            news.isVague = true
            // A watched name may be another file now, so names are opened again.
            news.isRouteLost = true
        }
        return news
    }

    private mutating func closeOpened() {
        for target in opened { _ = Darwin.close(target) }
        opened = []
    }

    func close() {
        for target in opened { _ = Darwin.close(target) }
        _ = Darwin.close(descriptor)
    }
}
#endif
