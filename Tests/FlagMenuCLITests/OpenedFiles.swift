import TestSupport

#if canImport(Glibc)
import Glibc

/// Records which files in some folders are opened, read or changed, by any process. A check of a file's status is not
/// recorded.
final class OpenedFiles {
    private let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    private var folders: [Int32: String] = [:]

    init(in folders: [String]) {
        let mask = UInt32(IN_OPEN | IN_ACCESS | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        for folder in folders { self.folders[inotify_add_watch(descriptor, folder, mask)] = folder }
    }

    deinit { close(descriptor) }

    /// Whether every folder is watched.
    var isWatching: Bool { !folders.keys.contains(-1) }

    /// The paths of the files since the last call.
    func take() -> Set<String> {
        var paths: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return paths }
            buffer.withUnsafeBytes { bytes in
                var start = 0
                while start < count {
                    let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                    let nameStart = start + MemoryLayout<inotify_event>.size
                    start = nameStart + Int(event.len)
                    let name = String(decoding: bytes[nameStart..<start].prefix { $0 != 0 }, as: UTF8.self)
                    paths.insert("\(folders[event.wd] ?? "")/\(name)")
                }
            }
        }
    }
}
#else
/// Systems without inotify: nothing is recorded.
final class OpenedFiles {
    init(in folders: [String]) {}
    var isWatching: Bool { false }
    func take() -> Set<String> { [] }
}
#endif
