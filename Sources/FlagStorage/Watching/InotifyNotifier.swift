import Platform

#if os(Linux)
/// Watches folders with inotify.
///
/// The file itself is not watched, as a watch of a file ends when the file is replaced.
package struct ChangeNotifier: Sendable {
    /// The descriptor for `poll`, which is readable if there are changes.
    let descriptor: Int32
    /// The names whose changes are reported, by watch descriptor; `nil` among them for every name.
    private var names: [Int32: Set<String?>] = [:]

    private static let movedOrRemovedMask = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    private static let nameChangedMask =
        UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
    private static let lostMask =
        UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

    static let call = "inotify_add_watch"

    package init() throws(SystemError) {
        descriptor = try SystemError.check("inotify_init1", inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
    }

    mutating func removeWatches() {
        // Later events of these watches are skipped, as `names` no longer contains them.
        for watch in names.keys { inotify_rm_watch(descriptor, watch) }
        names = [:]
    }

    /// Watches some names in a folder, and whether the folder is moved or removed. Returns `false` if the folder does
    /// not exist.
    mutating func add(_ folder: String, names: Set<String?>) throws(SystemError) -> Bool {
        let mask = names.isEmpty ? Self.movedOrRemovedMask : Self.nameChangedMask | Self.movedOrRemovedMask
        let watch = inotify_add_watch(descriptor, folder, mask | UInt32(IN_MASK_ADD))
        guard watch >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw SystemError(call: Self.call, code: errno)
        }
        self.names[watch, default: []].formUnion(names)
        return true
    }

    /// Reads all pending changes, and returns them merged.
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

    /// Ends watching; the value must not be used afterwards.
    func close() { _ = Platform.close(descriptor) }
}
#endif
