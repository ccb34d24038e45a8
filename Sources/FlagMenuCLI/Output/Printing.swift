import FlagModel
import FlagWorkspace
import TerminalShell
import TerminalUI

extension GlobalOptions {
    /// Prints the result of a command: as JSON with `--json`, else as lines.
    func print(_ output: @autoclosure () -> JSONOutput, or lines: @autoclosure () -> [String]) {
        json ? output().print() : StandardOutput.write(lines: lines())
    }
}

extension StandardError {
    /// Prints a sentence as lines that fit the terminal.
    static func printWrapped(_ sentence: String) {
        sentence.wrapped(to: LineWidth.ofErrors).forEach(printLine)
    }
}

extension [[String]] {
    /// The rows as lines of a table. Each column but the last is as wide as its widest cell.
    var table: [String] {
        let widths = (first ?? []).indices.dropLast().map { column in map { $0[column].columns }.max() ?? 0 }
        return map { row in
            var line = (zip(row, widths).map { $0.filled(to: $1) } + row.suffix(1)).joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

extension String {
    /// The lines of a document that is shown among other lines.
    var indentedLines: [String] { split(separator: "\n").map { "  \($0)" } }

    /// The width of the text on a terminal, in columns.
    var columns: Int { DisplayText.width(self, charset: TerminalLocale.charset) }

    /// The text padded with spaces to `columns`; longer text is unchanged.
    func filled(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - self.columns)) }
}
