import FlagModel
import TerminalShell
import TerminalUI

// Differences of remote values for people and programs.
extension ValueDifference {
    /// Prints the differences, a line each: on a terminal shortened to the width of a line.
    static func tell(_ differences: [ValueDifference]) {
        let columns = LineWidth.ofErrors
        for difference in differences { StandardError.say(difference.sentence(columns: columns)) }
    }

    /// `key: old -> new`.
    ///
    /// - Parameter columns: the width of a line; `nil` for no limit. If it is too short, the longer value is cut, or
    ///   both are.
    func sentence(columns: Int? = nil) -> String {
        let (old, new) = (EffectiveChange.shown(old), EffectiveChange.shown(new))
        let whole = "\(key): \(old) -> \(new)"
        guard let columns, whole.columns > columns else { return whole }
        let room = max(2 * Self.leastOfValue, columns - "\(key):  -> ".columns)
        let (first, second) = (old.columns, new.columns)
        let ofOld = min(first, max(room / 2, room - second))
        func clipped(_ text: String, _ columns: Int) -> String {
            DisplayText.clipped(text, to: columns, charset: TerminalLocale.charset)
        }
        return "\(key): \(clipped(old, ofOld)) -> \(clipped(new, room - ofOld))"
    }

    /// In columns; less of a value is of no use.
    private static let leastOfValue = 8

    var json: JSONOutput {
        .object([
            ("key", .string(key)), ("change", .string(change.rawValue)), ("old", FlagJSON.text(old)),
            ("new", FlagJSON.text(new)),
        ])
    }
}
