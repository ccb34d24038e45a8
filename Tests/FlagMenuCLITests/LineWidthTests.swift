import TestSupport
import Testing

/// On a terminal, output fits the width. In a file or a pipe, lines are neither wrapped nor cut.
@Suite struct LineWidthTests {
    private let workplace = Workplace()

    private func run(_ line: String, columns: Int) -> [String] {
        let run = workplace.onTerminal(line, environment: ["COLUMNS": String(columns)])
        return run.text.replacing("\r", with: "").split(separator: "\n").map(String.init)
    }

    @Test func `doctor breaks lines only at spaces`() {
        let line = "doctor --source firebase:shop"
        let whole = workplace.flagmenu(line).text
        #expect(whole.split(separator: "\n").contains { $0.count > 150 })
        let lines = run(line, columns: 80)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        let words = Set(whole.split(whereSeparator: \.isWhitespace))
        // Paths have no spaces to break at.
        let broken = lines.flatMap { $0.split(whereSeparator: \.isWhitespace) }.filter { word in
            !words.contains(word) && !words.contains { $0.contains("/") && $0.contains(word) }
        }
        #expect(
            broken.allSatisfy { lines.last?.contains($0) == true },
            "only the line about the terminal differs: \(broken)")
        #expect(
            lines.contains { $0.hasPrefix("                -> ") }
                && lines.contains { $0.hasPrefix("                   ") })
    }

    @Test func `fetched values are cut to the terminal width and whole elsewhere`() {
        func write(_ letter: String) {
            let long = String(repeating: letter, count: 3_000)
            workplace.write(#"{"long": "\#(long)", "short": "\#(letter)"}"#, to: "remote.json")
        }
        write("a")
        #expect(workplace.flagmenu("fetch --source remote.json").status == 0)
        write("b")
        let lines = run("fetch --source remote.json", columns: 60)
        #expect(lines.contains("short: a -> b"), "\(lines)")
        let long = lines.first { $0.hasPrefix("long: ") }
        #expect(long?.count == 60 && long?.contains("a… -> b") == true && long?.hasSuffix("b…") == true, "\(lines)")
        #expect(workplace.flagmenu("fetch --source remote.json").errorText.count > 6_000)
        #expect(run("activate --source remote.json", columns: 60).contains { $0.count == 60 && $0.hasSuffix("b…") })
    }
}
