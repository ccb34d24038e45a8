import Platform
import TerminalShell
import TerminalUI

/// How wide lines may be for people. Elsewhere than on a terminal they have no width: scripts find each whole.
enum LineWidth {
    /// Narrower than that nothing can be read anyway.
    private static let least = 40

    /// The columns that standard output has.
    static var ofOutput: Int? { StandardOutput.isTerminal ? columns(STDOUT_FILENO) : nil }

    /// The columns that standard error has.
    static var ofErrors: Int? { StandardError.isTerminal ? columns(STDERR_FILENO) : nil }

    /// Whoever sets `COLUMNS` means it, as for other programs that write lines.
    private static func columns(_ descriptor: Int32) -> Int? {
        let named = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        return (named ?? TerminalWidth.columns(of: descriptor)).map { max(least, $0) }
    }
}

extension String {
    /// The text in lines that break at spaces, and within a word only where that is longer than a line.
    ///
    /// - Parameters:
    ///   - columns: what a line has; `nil` for a line however long.
    ///   - heading: what stands before the first line. The others begin under the text behind it.
    func wrapped(to columns: Int?, behind heading: String = "") -> [String] {
        guard let columns, heading.columns + self.columns > columns else { return [heading + self] }
        let indent = heading.columns
        let lines = DisplayText.wrapped(self, columns: columns - indent, charset: TerminalLocale.charset)
        return lines.enumerated().map { index, line in
            (index == 0 ? heading : String(repeating: " ", count: indent)) + line
        }
    }
}
