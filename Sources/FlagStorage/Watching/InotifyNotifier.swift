import Platform

#if !canImport(Darwin)
package typealias ChangeNotifier = InotifyNotifier

/// Watches folders with inotify.
///
/// The file itself is not watched, as a watch of a file ends when the file is replaced.
package struct InotifyNotifier: Sendable {
    /// The descriptor for `poll`, which is readable if there are changes.
    let descriptor: Int32
    /// The names whose changes each watch needs, by watch descriptor and by the number of the watch; `nil` among them for
    /// every name. Watches that need the same folder share its descriptor.
    private var folders: [Int32: [Int: Set<String?>]] = [:]

    private static let movedOrRemovedMask = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    // A file may become readable by a change of its mode or owner.
    private static let nameChangedMask =
        UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
        | UInt32(IN_ATTRIB)
    private static let lostMask =
        UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_IGNORED) | UInt32(IN_UNMOUNT)

    static let call = "inotify_add_watch"

    package init() throws(SystemError) {
        descriptor = try SystemError.check("inotify_init1", inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
    }

    mutating func removeWatches(of number: Int) {
        for (folder, watches) in folders where watches[number] != nil {
            folders[folder]?[number] = nil
            guard watches.count == 1 else { continue }
            // Later events of this folder are skipped, as `folders` no longer contains it.
            inotify_rm_watch(descriptor, folder)
            folders[folder] = nil
        }
    }

    /// Watches some names in a folder, and whether the folder is moved or removed. Returns `false` if the folder does
    /// not exist.
    mutating func add(_ folder: String, names: Set<String?>, for number: Int) throws(SystemError) -> Bool {
        let mask = names.isEmpty ? Self.movedOrRemovedMask : Self.nameChangedMask | Self.movedOrRemovedMask
        let watch = inotify_add_watch(descriptor, folder, mask | UInt32(IN_MASK_ADD))
        guard watch >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw SystemError(call: Self.call, code: errno)
        }
        folders[watch, default: [:]][number, default: []].formUnion(names)
        return true
    }

    /// Reads all pending changes, and returns them merged, by the numbers of the watches.
    mutating func drain() -> [Int: PendingChanges] {
        var updates: [Int: PendingChanges] = [:]
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: MemoryLayout<inotify_event>.alignment) {
            buffer in
            // Never waits, so no signal interrupts it.
            while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                addEvents(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &updates)
            }
        }
        return updates
    }

    private func addEvents(_ events: UnsafeRawBufferPointer, into updates: inout [Int: PendingChanges]) {
        let headSize = MemoryLayout<inotify_event>.size
        var start = 0
        while start + headSize <= events.count {
            let event = events.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
            let nameStart = start + headSize
            start = nameStart + Int(event.len)
            let name = String(decoding: events[nameStart..<start].prefix { $0 != 0 }, as: UTF8.self)
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                for number in folders.values.flatMap(\.keys) { updates[number] = PendingChanges(isRouteLost: true) }
            }
            for (number, names) in folders[event.wd] ?? [:] {
                if event.mask & Self.lostMask != 0 { updates[number, default: PendingChanges()].isRouteLost = true }
                guard names.contains(name) || names.contains(nil) else { continue }
                var update = updates[number] ?? PendingChanges()
                if event.mask & UInt32(IN_MOVED_TO) == 0 { update.isOtherThanRename = true }
                updates[number] = update
            }
        }
    }
}
#endif
