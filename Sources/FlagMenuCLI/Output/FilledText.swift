import TerminalShell
import TerminalUI

extension String {
    /// The width in columns of a terminal.
    var columns: Int { DisplayText.width(self, charset: TerminalLocale.charset) }

    /// The text padded with spaces to so many columns; longer text is unchanged.
    func filled(to columns: Int) -> String {
        let missing = columns - self.columns
        return self + String(repeating: " ", count: max(0, missing))
    }
}
