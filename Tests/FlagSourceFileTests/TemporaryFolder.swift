import FlagSourceFile
import Foundation
import Synchronization

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "flagmenu-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    @discardableResult
    func write(_ text: String, to name: String) throws -> FileSource {
        try write(Data(text.utf8), to: name)
    }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> FileSource {
        // Atomically, so that each version is a file of its own whatever the resolution of the clock.
        try data.write(to: url.appending(path: name), options: .atomic)
        return FileSource(path: path(name))
    }
}

/// A cache folder in memory.
final class MemoryCache: Sendable {
    private let content = Mutex<[String: [UInt8]]>([:])

    var names: [String] { content.withLock { $0.keys.sorted() } }

    subscript(_ suffix: String) -> String? {
        content.withLock { files in
            files.first { $0.key.hasSuffix(suffix) }.map { String(decoding: $0.value, as: UTF8.self) }
        }
    }

    func damage(_ suffix: String) {
        content.withLock { files in
            for name in files.keys where name.hasSuffix(suffix) { files[name] = Array("{".utf8) }
        }
    }

    var cache: RemoteCache {
        RemoteCache(
            files: CacheFiles(
                read: { name in self.content.withLock { $0[name] } },
                write: { name, bytes in self.content.withLock { $0[name] = bytes } },
                remove: { name in self.content.withLock { _ = $0.removeValue(forKey: name) } },
                names: { self.names }))
    }
}
