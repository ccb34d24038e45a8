import Platform

/// A text kept beside the tests and compared to the byte.
///
/// A missing snapshot is recorded and fails, so that nobody lands a picture unseen. `RECORD_SNAPSHOTS=1` records anew.
public enum Snapshot {
    /// What stands between the text and its snapshot, as a sentence, or `nil` when they are equal.
    ///
    /// - Parameters:
    ///   - text: what the program shows now.
    ///   - name: the file's name without ending, unique in the test target.
    ///   - testFile: leave as it is: the snapshot lies in `Snapshots` beside the calling test.
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
            let before = row < old.count ? String(old[row]) : "(none)"
            let after = row < new.count ? String(new[row]) : "(none)"
            return before == after ? nil : "\(row + 1)\n- \(before)\n+ \(after)"
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
