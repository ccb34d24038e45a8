import FlagModel
import FlagQueries
import TerminalUI

/// The rows of a bulk dialog's list. Keys are never cut. A change is beside the flag's key or, if there is no room,
/// below the key.
struct BulkDialogRows {
    /// The maximum number of rows of a value; a longer value ends in an ellipsis.
    private static let rowLimit = 6
    /// The minimum width of a shortened old value. If there is less room, the new value starts in the next row.
    private static let minimumOldColumns = 6
    /// The minimum width of a change that is drawn beside its key.
    private static let minimumChangeColumns = 24
    /// The number of columns between a key and its change, or the indentation of a change below its key.
    private static let gap = 2

    private let plan: BulkPlan
    private let state: MenuState
    private let longestKey: Int

    init(_ plan: BulkPlan, _ state: MenuState) {
        (self.plan, self.state) = (plan, state)
        let keys = plan.lines.map(\.key) + plan.exceptions.map(\.key)
        longestKey = keys.map { DisplayText.width($0, charset: state.charset) }.max() ?? 0
    }

    /// The width that is needed to show each change in one row beside its key.
    var wantedColumns: Int {
        let texts = plan.lines.map { $0.oldText.utf8.count + $0.newText.utf8.count + 4 }
        return longestKey + Self.gap + max(Self.minimumChangeColumns, texts.max() ?? 0)
    }

    /// The changes, then the skipped flags, each with the reason.
    func lines(columns: Int) -> [StyledLine] {
        let isBeside = longestKey + Self.gap + Self.minimumChangeColumns <= columns
        let text = WrappedText(
            columns: columns - (isBeside ? longestKey + Self.gap : Self.gap), charset: state.charset)
        func rows(_ key: String, _ texts: [String], _ style: Style) -> [StyledLine] {
            guard isBeside else {
                let keys = WrappedText(columns: columns, charset: state.charset).pieces(of: key)
                let margin = String(repeating: " ", count: Self.gap)
                return keys.map { StyledLine($0, style) } + texts.map { StyledLine(margin).adding($0, style) }
            }
            let gap = longestKey + Self.gap - DisplayText.width(key, charset: state.charset)
            let label = StyledLine(key, style).adding(String(repeating: " ", count: gap))
            let margin = StyledLine(String(repeating: " ", count: longestKey + Self.gap))
            return texts.enumerated().map { ($0 == 0 ? label : margin).adding($1, style) }
        }
        return plan.lines.flatMap { rows($0.key, Self.texts(of: $0, text), state.theme.plain) }
            + plan.exceptions.flatMap { exception in
                let texts = DisplayText.wrapped(
                    "left out: \(exception.reason)", columns: text.columns, charset: state.charset)
                return rows(exception.key, texts, state.theme.faint)
            }
    }

    /// The change as `old -> new` in one row. If the change does not fit, the old value is shortened; if that is not
    /// enough, the new value is in the rows below.
    private static func texts(of line: BulkPlan.Line, _ text: WrappedText) -> [String] {
        let (columns, charset) = (text.columns, text.charset)
        // Measures only text that the rows have room for.
        let new = String(line.newText.prefix((rowLimit + 1) * columns))
        let old = String(line.oldText.prefix(columns + 1))
        let room = columns - 4 - DisplayText.width(new, charset: charset)
        if DisplayText.fits(old, columns: room, charset: charset) { return ["\(old) -> \(new)"] }
        let shortOld = line.foldedOld(charset) ?? old
        if room >= min(minimumOldColumns, DisplayText.width(shortOld, charset: charset)) {
            return ["\(DisplayText.clipped(shortOld, to: room, charset: charset)) -> \(new)"]
        }
        let first = DisplayText.clipped(shortOld, to: max(1, columns - 3), charset: charset) + " ->"
        return [first] + text.pieces(of: new, atMost: rowLimit)
    }
}

extension BulkPlan.Line {
    fileprivate var oldText: String { EffectiveChange.shown(before) }
    fileprivate var newText: String {
        EffectiveChange.shown(after) + (before != nil && before == after ? " (same)" : "")
    }

    /// Brackets with an ellipsis for an old value that looks like a JSON object or array; `nil` for other values.
    fileprivate func foldedOld(_ charset: Charset) -> String? {
        switch (before?.first, before?.last) {
        case ("{", "}"): FoldedJSON.brackets(isArray: false, charset)
        case ("[", "]"): FoldedJSON.brackets(isArray: true, charset)
        default: nil
        }
    }
}
