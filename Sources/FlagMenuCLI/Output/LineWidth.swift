import Platform
import TerminalShell
import TerminalUI

/// The width of lines for people. Output to anything but a terminal has no limit: scripts get whole lines.
enum LineWidth {
    /// A narrower line cannot be read anyway.
    private static let least = 40

    /// The columns of standard output.
    static var ofOutput: Int? { StandardOutput.isTerminal ? columns(STDOUT_FILENO) : nil }

    /// The columns of standard error.
    static var ofErrors: Int? { StandardError.isTerminal ? columns(STDERR_FILENO) : nil }

    /// `COLUMNS` wins, as in other programs that print lines.
    private static func columns(_ descriptor: Int32) -> Int? {
        let named = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        return (named ?? TerminalWidth.columns(of: descriptor)).map { max(least, $0) }
    }
}

extension String {
    /// The text in lines that break at spaces, and within a word only if it is longer than a line.
    ///
    /// - Parameters:
    ///   - columns: the width of a line; `nil` for no limit.
    ///   - heading: precedes the first line. The others are indented to the text after it.
    func wrapped(to columns: Int?, behind heading: String = "") -> [String] {
        guard let columns, heading.columns + self.columns > columns else { return [heading + self] }
        let indent = heading.columns
        let lines = DisplayText.wrapped(self, columns: columns - indent, charset: TerminalLocale.charset)
        return lines.enumerated().map { index, line in
            (index == 0 ? heading : String(repeating: " ", count: indent)) + line
        }
    }
}
