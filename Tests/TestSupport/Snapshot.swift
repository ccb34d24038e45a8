import Foundation

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
        let expected = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        let isRecording = getenv("RECORD_SNAPSHOTS") != nil
        if let expected, !isRecording {
            // `==` ignores how a character is composed.
            return expected.utf8.elementsEqual(text.utf8)
                ? nil : "\(name) differs from its snapshot:\n\(difference(expected, text))"
        }
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            return "\(path) could not be written"
        }
        return expected == nil ? "recorded a new snapshot, \(name): look at it, then run again" : nil
    }

    /// The changed lines with two lines around them, each group below its place and its command, as in a unified diff.
    /// Only the first 60 lines of it.
    private static func difference(_ expected: String, _ actual: String) -> String {
        let lines = marked(expected, actual)
        let shown = lines.indices.filter { index in
            lines[max(0, index - 2)...min(lines.count - 1, index + 2)].contains { $0.mark != " " }
        }
        var result: [String] = []
        for (place, index) in shown.enumerated() {
            if place == 0 || shown[place - 1] != index - 1 {
                let row = lines[..<index].count { $0.mark != "-" } + 1
                let change = lines[index...].firstIndex { $0.mark != " " } ?? index
                let command = lines[...change].last { $0.text.hasPrefix("$ ") }?.text ?? ""
                result.append("@@ line \(row) @@ \(command)")
            }
            result.append("\(lines[index].mark)\(lines[index].text)")
        }
        let hidden = result.count - 60
        return (result.prefix(60) + (hidden > 0 ? ["and \(hidden) more lines"] : [])).joined(separator: "\n")
    }

    /// The lines of both texts: `-` only in the expected one, `+` only in the actual one.
    private static func marked(_ expected: String, _ actual: String) -> [(mark: String, text: Substring)] {
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
        // Strings that look the same may have other bytes.
        let changes = new.difference(from: old) { $0.utf8.elementsEqual($1.utf8) }
        var lines = old.map { (mark: " ", text: $0) }
        for case .remove(let row, _, _) in changes { lines[row].mark = "-" }
        for case .insert(let row, let text, _) in changes.insertions {
            let kept = lines.indices.filter { lines[$0].mark != "-" }
            lines.insert(("+", text), at: row < kept.count ? kept[row] : lines.count)
        }
        return lines
    }
}
