import FlagModel
import Platform

#if canImport(Darwin)
/// Watches folders and the file with kqueue, which reports that a folder has changed but not which name in it.
///
/// The file has a separate watch, as a write to a file does not change its folder.
struct KqueueNotifier: ChangeNotifier {
    let descriptor: Int32
    private var opened: [Int32] = []

    private static let movedOrRemovedMask = NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE

    init() throws(SystemError) {
        descriptor = try SystemError.check("kqueue", kqueue())
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    mutating func watch(_ route: WatchRoute) throws(SystemError) {
        closeOpened()
        var isAnyStopWatched = false
        for stop in route.stops {
            if try add(stop.folder, NOTE_WRITE | Self.movedOrRemovedMask) { isAnyStopWatched = true }
            // A file that is missing or cannot be opened is ignored: the watch of its folder reports when the file is
            // created or replaced.
            guard let name = stop.name else { continue }
            _ = try? add(
                FilePath.join(stop.folder, name), NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | Self.movedOrRemovedMask)
        }
        guard isAnyStopWatched else { throw SystemError(call: "kevent", code: ENOENT) }
        for folder in route.ancestors { _ = try? add(folder, Self.movedOrRemovedMask) }
    }

    /// Watches one path; returns `false` if nothing exists there.
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

    mutating func drain() -> PendingChanges {
        var updates = PendingChanges()
        var event = kevent()
        var noWait = timespec()
        while kevent(descriptor, nil, 0, &event, 1, &noWait) > 0 {
            updates.isVague = true
            // A watched name may now be another file, so the route must be opened again.
            updates.isRouteLost = true
        }
        return updates
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
