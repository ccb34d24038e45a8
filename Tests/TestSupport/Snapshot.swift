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
            // `==` ignores how a character is composed.
            return expected.utf8.elementsEqual(text.utf8)
                ? nil : "\(name) differs from its snapshot:\n\(difference(expected, text))"
        }
        guard write(text, to: path) else { return "\(path) could not be written" }
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
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in changes {
            switch change {
            case .remove(let row, _, _): removed.insert(row)
            case .insert(let row, _, _): inserted.insert(row)
            }
        }
        var lines: [(mark: String, text: Substring)] = []
        var (oldRow, newRow) = (0, 0)
        while oldRow < old.count || newRow < new.count {
            if removed.contains(oldRow) {
                lines.append(("-", old[oldRow]))
                oldRow += 1
            } else if inserted.contains(newRow) {
                lines.append(("+", new[newRow]))
                newRow += 1
            } else {
                lines.append((" ", new[newRow]))
                (oldRow, newRow) = (oldRow + 1, newRow + 1)
            }
        }
        return lines
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
        let bytes = Array(text.utf8)
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        return fclose(file) == 0 && isWritten
    }
}
