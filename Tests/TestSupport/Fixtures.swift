package import Foundation

/// The folder of shared fixtures beside the package. It is not part of the package, so tests that need it may be
/// skipped.
package enum Fixtures {
    package static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/fixtures").standardizedFileURL

    package static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    package static func names(in path: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)
        return (names ?? []).sorted()
    }
}

extension String {
    package var bytes: [UInt8] { Array(utf8) }
}
