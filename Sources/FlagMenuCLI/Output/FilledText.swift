import TerminalShell
import TerminalUI

extension String {
    /// The width of the text on a terminal, in columns.
    var columns: Int { DisplayText.width(self, charset: TerminalLocale.charset) }

    /// The text padded with spaces to `columns`; longer text is unchanged.
    func filled(to columns: Int) -> String {
        let missing = columns - self.columns
        return self + String(repeating: " ", count: max(0, missing))
    }
}
