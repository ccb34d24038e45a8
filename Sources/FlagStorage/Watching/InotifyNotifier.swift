import Platform

#if os(Linux)
/// Watches folders with inotify.
///
/// Folders and not the file, since a watch on the file ends with its first atomic replacement.
struct InotifyNotifier: ChangeNotifier {
    let descriptor: Int32
    /// The names that matter, by watch.
    private var names: [Int32: Set<String>] = [:]

    private static let isMovedOrRemoved = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    private static let isNameChanged =
        UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
    private static let isLost =
        UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

    init() throws(SystemError) {
        descriptor = try SystemError.check("inotify_init1", inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
    }

    mutating func watch(_ route: WatchRoute) throws(SystemError) {
        // Their last events have numbers that are no longer known, and are skipped.
        for old in names.keys { inotify_rm_watch(descriptor, old) }
        names = [:]
        var isAnyStopThere = false
        for stop in route.stops {
            if try add(stop.folder, Self.isNameChanged | Self.isMovedOrRemoved, name: stop.name) {
                isAnyStopThere = true
            }
        }
        guard isAnyStopThere else { throw SystemError(call: "inotify_add_watch", code: ENOENT) }
        for folder in route.ancestors {
            // A folder that may be searched but not read cannot be watched. It rarely moves.
            _ = try? add(folder, Self.isMovedOrRemoved, name: nil)
        }
    }

    /// Watches one folder; `false` if it was removed; then the stop where it may reappear is watched.
    private mutating func add(_ folder: String, _ mask: UInt32, name: String?) throws(SystemError) -> Bool {
        let watch = inotify_add_watch(descriptor, folder, mask | UInt32(IN_MASK_ADD))
        guard watch >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw SystemError(call: "inotify_add_watch", code: errno)
        }
        names[watch, default: []].formUnion(name.map { [$0] } ?? [])
        return true
    }

    mutating func drain() -> ChangeNews {
        var news = ChangeNews()
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: MemoryLayout<inotify_event>.alignment) {
            buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &news)
            }
        }
        return news
    }

    private func take(_ events: UnsafeRawBufferPointer, into news: inout ChangeNews) {
        let headSize = MemoryLayout<inotify_event>.size
        var start = 0
        while start + headSize <= events.count {
            let event = events.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
            let nameStart = start + headSize
            start = nameStart + Int(event.len)
            let name = String(decoding: events[nameStart..<start].prefix { $0 != 0 }, as: UTF8.self)
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                news.isRouteLost = true
            } else if let names = names[event.wd] {
                if event.mask & Self.isLost != 0 { news.isRouteLost = true }
                if names.contains(name) { news.isChanged = true }
            }
        }
    }

    func close() { _ = Platform.close(descriptor) }
}
#endif
