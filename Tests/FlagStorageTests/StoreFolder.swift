import FlagModel
import FlagStorage
import Foundation

/// A temporary folder for one test, with stores in it; removed on deinit.
final class StoreFolder {
    /// The current time of all stores in tests: 2026-11-21T10:00:00Z.
    static let time = FlagTimestamp(seconds: 1_795_255_200)

    let path: String

    init() {
        path = NSTemporaryDirectory() + "flag-storage-" + UUID().uuidString
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/overrides.json" }
    var history: String { path + "/history.jsonl" }

    func store(author: String = "ana", files: FileOperations = .live) -> OverrideStore {
        OverrideStore(directory: path, author: author, now: { Self.time }, files: files)
    }

    /// Writes the file in place, as an editor or a script would, creating the folder.
    func write(_ text: String, to name: String = "overrides.json") throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func text(of name: String = "overrides.json") throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
    }

    /// The names in the folder, sorted.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}

extension OverrideTable {
    /// Only the values, which is what most tests check.
    var values: FlagTable<String> { overrides.mapValues(\.value) }
}
