import TerminalShell
import TerminalUI

extension String {
    /// How many columns it takes in a terminal.
    var columns: Int { DisplayText.width(self, charset: TerminalLocale.charset) }

    /// The text filled with spaces to so many columns; longer text stays whole.
    func filled(to columns: Int) -> String {
        let missing = columns - self.columns
        return self + String(repeating: " ", count: max(0, missing))
    }
}
