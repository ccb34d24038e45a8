import Platform
import TerminalShell
import TerminalUI

/// The width of output lines in columns. `nil` means no limit: scripts get whole lines.
package enum LineWidth {
    /// The minimum width in columns: narrower lines would not be readable.
    private static let minimum = 40

    /// The width of standard output; `nil` if it is not a terminal.
    package static var ofOutput: Int? { StandardOutput.isTerminal ? columns(STDOUT_FILENO) : nil }

    /// The width of standard error; `nil` if it is not a terminal.
    package static var ofErrors: Int? { StandardError.isTerminal ? columns(STDERR_FILENO) : nil }

    /// The width that the variable `COLUMNS` sets, as for other programs, else the width of the terminal.
    private static func columns(_ descriptor: Int32) -> Int? {
        let columnsVariable = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        return (columnsVariable ?? TerminalWidth.columns(of: descriptor)).map { max(minimum, $0) }
    }
}

extension String {
    /// The text as lines, wrapped at spaces. A word that is longer than a line is split.
    ///
    /// - Parameters:
    ///   - columns: the width of a line; `nil` for no limit.
    ///   - heading: text at the start of the first line. The other lines are indented by the width of the heading.
    package func wrapped(to columns: Int?, after heading: String = "") -> [String] {
        let charset = TerminalLocale.charset
        let indent = DisplayText.width(heading, charset: charset)
        guard let columns, indent + DisplayText.width(self, charset: charset) > columns else { return [heading + self] }
        let lines = DisplayText.wrapped(self, columns: columns - indent, charset: charset)
        return lines.enumerated().map { index, line in
            (index == 0 ? heading : String(repeating: " ", count: indent)) + line
        }
    }
}
