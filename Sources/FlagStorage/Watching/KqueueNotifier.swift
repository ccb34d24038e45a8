import FlagModel
import Platform

#if canImport(Darwin)
package typealias ChangeNotifier = KqueueNotifier

/// Watches folders and the file with kqueue, which reports that a folder has changed but not which name in it.
///
/// The file has a separate watch, as a write to a file does not change its folder.
package struct KqueueNotifier: Sendable {
    /// The descriptor for `poll`, which is readable if there are changes.
    let descriptor: Int32
    /// The opened files and folders, each with the number of its watch.
    private var opened: [Int32: Int] = [:]

    private static let movedOrRemovedMask = NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE

    static let call = "kevent"

    package init() throws(SystemError) {
        descriptor = try SystemError.check("kqueue", kqueue())
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Watches some names in a folder, and whether the folder is moved or removed. Returns `false` if the folder does
    /// not exist.
    mutating func add(_ folder: String, names: Set<String?>, for number: Int) throws(SystemError) -> Bool {
        let mask = (names.isEmpty ? 0 : NOTE_WRITE) | Self.movedOrRemovedMask
        guard try add(folder, mask, for: number) else { return false }
        // A file that is missing or cannot be opened is ignored: the watch of its folder reports when the file is
        // created or replaced.
        for case let name? in names {
            let mask = NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | Self.movedOrRemovedMask
            _ = try? add(FilePath.join(folder, name), mask, for: number)
        }
        return true
    }

    /// Watches one path; returns `false` if nothing exists there.
    private mutating func add(_ path: String, _ mask: Int32, for number: Int) throws(SystemError) -> Bool {
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
            throw SystemError(call: Self.call, code: code)
        }
        opened[target] = number
        return true
    }

    /// Reads all pending changes, and returns them merged, by the numbers of the watches.
    mutating func drain() -> [Int: PendingChanges] {
        var updates: [Int: PendingChanges] = [:]
        var event = kevent()
        var noWait = timespec()
        while kevent(descriptor, nil, 0, &event, 1, &noWait) > 0 {
            guard let number = opened[Int32(event.ident)] else { continue }
            // A watched name may now be another file, so the route must be opened again.
            updates[number] = PendingChanges(isVague: true, isRouteLost: true)
        }
        return updates
    }

    mutating func removeWatches(of number: Int) {
        for (target, watch) in opened where watch == number {
            _ = Darwin.close(target)
            opened[target] = nil
        }
    }
}
#endif
