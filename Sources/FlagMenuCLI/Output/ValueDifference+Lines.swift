import FlagModel
import FlagQueries
import FlagWorkspace
import TerminalShell
import TerminalUI

extension Settings {
    /// Prints a line for each difference, shortened to the width of a terminal, and a sentence, unless `--quiet` is set.
    func report(_ differences: [ValueDifference], _ sentence: String) {
        let columns = LineWidth.ofErrors
        (differences.map { $0.sentence(columns: columns) } + [sentence]).forEach(printLine)
    }
}

extension GlobalOptions {
    /// Prints the differences that a command was asked for, and how many there are.
    func printDifferences(_ differences: [ValueDifference]) {
        let columns = LineWidth.ofOutput
        print(
            .object([("differences", .array(differences.map(\.json)))]),
            or: differences.map { $0.sentence(columns: columns) })
        if !json, !quiet { StandardError.printLine(ValueDifference.summary(differences)) }
    }
}

// Differences of remote values as text and as JSON.
extension ValueDifference {
    /// The difference as text: `key: old -> new`.
    ///
    /// - Parameter columns: the width of a line; `nil` for no limit. If the text is wider, the longer value or both
    ///   values are clipped.
    func sentence(columns: Int? = nil) -> String {
        let (old, new) = (EffectiveChange.shown(old), EffectiveChange.shown(new))
        let fullText = "\(key): \(old) -> \(new)"
        guard let columns, fullText.columns > columns else { return fullText }
        // Each value keeps at least 8 columns.
        let availableColumns = max(16, columns - "\(key):  -> ".columns)
        let oldColumns = min(old.columns, max(availableColumns / 2, availableColumns - new.columns))
        func clipped(_ text: String, _ columns: Int) -> String {
            DisplayText.clipped(text, to: columns, charset: TerminalLocale.charset)
        }
        return "\(key): \(clipped(old, oldColumns)) -> \(clipped(new, availableColumns - oldColumns))"
    }

    var json: JSONOutput {
        .object([
            ("key", .string(key)), ("change", .string(change.rawValue)), ("old", FlagJSON.text(old)),
            ("new", FlagJSON.text(new)),
        ])
    }
}
