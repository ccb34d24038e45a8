import TerminalShell
import TerminalUI

extension String {
    /// The text filled with spaces to so many columns; longer text stays whole.
    func filled(to columns: Int) -> String {
        let missing = columns - DisplayText.width(self, charset: TerminalLocale.charset)
        return self + String(repeating: " ", count: max(0, missing))
    }
}
