import Platform

#if os(Linux)
/// Watches folders with inotify.
///
/// The file itself is not watched, as a watch of a file ends when the file is replaced.
struct InotifyNotifier: ChangeNotifier {
    let descriptor: Int32
    /// The names whose changes are reported, by watch descriptor; `nil` among them for every name.
    private var names: [Int32: Set<String?>] = [:]

    private static let movedOrRemovedMask = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    private static let nameChangedMask =
        UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
    private static let lostMask =
        UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

    init() throws(SystemError) {
        descriptor = try SystemError.check("inotify_init1", inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
    }

    mutating func watch(_ route: WatchRoute) throws(SystemError) {
        // Later events of these watches are skipped, as `names` no longer contains them.
        for watch in names.keys { inotify_rm_watch(descriptor, watch) }
        names = [:]
        var isAnyStopWatched = false
        for stop in route.stops {
            if try add(stop.folder, Self.nameChangedMask | Self.movedOrRemovedMask, names: [stop.name]) {
                isAnyStopWatched = true
            }
        }
        guard isAnyStopWatched else { throw SystemError(call: "inotify_add_watch", code: ENOENT) }
        for folder in route.ancestors {
            // The error is ignored: a folder that may be searched but not read cannot be watched, but is rarely moved.
            _ = try? add(folder, Self.movedOrRemovedMask, names: [])
        }
    }

    /// Watches one folder. Returns `false` if the folder does not exist.
    private mutating func add(_ folder: String, _ mask: UInt32, names: Set<String?>) throws(SystemError) -> Bool {
        let watch = inotify_add_watch(descriptor, folder, mask | UInt32(IN_MASK_ADD))
        guard watch >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw SystemError(call: "inotify_add_watch", code: errno)
        }
        self.names[watch, default: []].formUnion(names)
        return true
    }

    mutating func drain() -> PendingChanges {
        var updates = PendingChanges()
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: MemoryLayout<inotify_event>.alignment) {
            buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                addEvents(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &updates)
            }
        }
        return updates
    }

    private func addEvents(_ events: UnsafeRawBufferPointer, into updates: inout PendingChanges) {
        let headSize = MemoryLayout<inotify_event>.size
        var start = 0
        while start + headSize <= events.count {
            let event = events.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
            let nameStart = start + headSize
            start = nameStart + Int(event.len)
            let name = String(decoding: events[nameStart..<start].prefix { $0 != 0 }, as: UTF8.self)
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                updates.isRouteLost = true
            } else if let names = names[event.wd] {
                if event.mask & Self.lostMask != 0 { updates.isRouteLost = true }
                if names.contains(name) || names.contains(nil) {
                    updates.isChanged = true
                    if event.mask & UInt32(IN_MOVED_TO) == 0 { updates.isOtherThanRename = true }
                }
            }
        }
    }

    func close() { _ = Platform.close(descriptor) }
}
#endif
