import Platform

/// Compares a text byte by byte with a file beside the tests.
///
/// A missing snapshot is recorded and fails the test, so that none is committed unseen. `RECORD_SNAPSHOTS=1` records
/// all of them again.
public enum Snapshot {
    /// The difference between the text and its snapshot, or `nil` if they are equal.
    ///
    /// - Parameters:
    ///   - text: what the program shows now.
    ///   - name: the file name without the extension, unique in the test target.
    ///   - testFile: the path of the calling test, by default; the snapshot is in the folder `Snapshots` beside it.
    public static func mismatch(_ text: String, named name: String, testFile: String = #filePath) -> String? {
        let folder = testFile.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let path = "\(folder)/Snapshots/\(name).txt"
        let expected = contents(of: path)
        let isRecording = getenv("RECORD_SNAPSHOTS") != nil
        if let expected, !isRecording {
            return expected == text ? nil : "\(name) differs from its snapshot:\n\(difference(expected, text))"
        }
        guard write(text, to: path) else { return "\(path) could not be written" }
        return expected == nil ? "recorded a new snapshot, \(name): look at it, then run again" : nil
    }

    private static func difference(_ expected: String, _ actual: String) -> String {
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
        return (0..<max(old.count, new.count)).compactMap { row -> String? in
            let oldLine = row < old.count ? String(old[row]) : "(none)"
            let newLine = row < new.count ? String(new[row]) : "(none)"
            return oldLine == newLine ? nil : "\(row + 1)\n- \(oldLine)\n+ \(newLine)"
        }.joined(separator: "\n")
    }

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let isWritten = fputs(text, file) >= 0
        return fclose(file) == 0 && isWritten
    }
}
