import Platform
import TerminalShell
import TerminalUI

/// The width of output lines; `nil`, no limit, if the output is not a terminal, so that scripts get whole lines.
enum LineWidth {
    /// The minimal width: narrower lines would not be readable.
    private static let minimum = 40

    /// The columns of standard output.
    static var ofOutput: Int? { StandardOutput.isTerminal ? columns(STDOUT_FILENO) : nil }

    /// The columns of standard error.
    static var ofErrors: Int? { StandardError.isTerminal ? columns(STDERR_FILENO) : nil }

    /// The columns in the variable `COLUMNS`, as in other programs that print lines, else those of the terminal.
    private static func columns(_ descriptor: Int32) -> Int? {
        let columnsVariable = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        return (columnsVariable ?? TerminalWidth.columns(of: descriptor)).map { max(minimum, $0) }
    }
}

extension String {
    /// The text in lines that break at spaces, and within words that are longer than a line.
    ///
    /// - Parameters:
    ///   - columns: the width of a line; `nil` for no limit.
    ///   - heading: text before the first line. The other lines are indented by its width.
    func wrapped(to columns: Int?, after heading: String = "") -> [String] {
        guard let columns, heading.columns + self.columns > columns else { return [heading + self] }
        let indent = heading.columns
        let lines = DisplayText.wrapped(self, columns: columns - indent, charset: TerminalLocale.charset)
        return lines.enumerated().map { index, line in
            (index == 0 ? heading : String(repeating: " ", count: indent)) + line
        }
    }
}
