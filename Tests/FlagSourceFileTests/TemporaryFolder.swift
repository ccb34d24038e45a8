import FlagSourceFile
import Foundation

/// A folder that is deleted after the test.
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
        // Atomically, so that each version is a new file, even if the clock's resolution is low.
        try data.write(to: url.appending(path: name), options: .atomic)
        return FileSource(path: path(name))
    }
}
