import FlagModel
import FlagQueries
import TerminalUI

// The view of the dialog that confirms a bulk action: the outcome, the list of changes, and the keys. Keys are never cut.
// A change is beside the flag's key or, if there is no room, below the key.
extension BulkDialog {
    /// The minimum width: room for the sentences and for the keys at the bottom.
    private static let minimumColumns = 76
    /// The maximum number of rows of a value; a longer value ends in an ellipsis.
    private static let rowLimit = 6
    /// The minimum width of a shortened old value. If there is less room, the new value starts in the next row.
    private static let minimumOldColumns = 6
    /// The minimum width of a change that is drawn beside its key.
    private static let minimumChangeColumns = 24
    /// The number of columns between a key and its change, or the indentation of a change below its key.
    private static let gap = 2

    func view(in state: MenuState) -> SheetList {
        let keys = plan.lines.map(\.key) + plan.exceptions.map(\.key)
        let keyColumns = Self.gap + (keys.map { DisplayText.width($0, charset: state.charset) }.max() ?? 0)
        // The width that is needed to show each change in one row beside its key.
        let widestChange = plan.lines.map { $0.oldText.utf8.count + $0.newText.utf8.count + 4 }.max() ?? 0
        let wantedColumns = keyColumns + max(Self.minimumChangeColumns, widestChange)
        let columns = min(max(Self.minimumColumns, wantedColumns), state.size.columns - 4)
        let outcome = WrappedText(columns: columns, charset: state.charset).lines(of: outcome(in: state))
        let gap = state.size.rows < Layout.roomy.rows ? [] : [StyledLine()]
        var view = SheetList(
            state, title: plan.title, columns: columns, above: outcome + gap,
            rows: rows(keyColumns, columns: columns, state).map { SheetList.Row(line: $0) },
            below: gap + [StyledLine()], top: scrolled.top, asks: true)
        view.below = gap + [choices(columns: columns, hidden: view.shown.hiddenBelow, state)]
        return view
    }

    /// The result of the change, and a sentence about fuzzy matches of the filter, if there are any.
    private func outcome(in state: MenuState) -> String {
        if isByLetters { return "These match \(state.list.filter.text.cited) only fuzzily. \(plan.outcome)" }
        if otherKeys.isEmpty { return plan.outcome }
        let count = otherKeys.count.counted("fuzzy match is", "fuzzy matches are")
        return "\(plan.outcome) \(count) not included: \(state.keyWord(of: "others", in: part)) shows them."
    }

    /// The keys to confirm and to cancel, and a note: the number of hidden rows, or how to undo.
    private func choices(columns: Int, hidden: Int, _ state: MenuState) -> StyledLine {
        let yes = plan.lines.isEmpty ? nil : "\(plan.bulkAction.rawValue)   "
        let keys = state.dialogKeys(yes, "cancel (default)", in: part)
        let undo = plan.bulkAction == .activate ? "" : "\(state.keyWord(of: .undo)) undoes it"
        let note = hidden > 0 ? "\(hidden) more below" : undo
        let gap = columns - keys.width(state.charset) - note.count
        guard gap >= 3 else { return keys }
        return keys.adding(String(repeating: " ", count: gap)).adding(note, state.theme.faint)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        var lines = ["\(plan.title) \(outcome(in: state))"]
        lines += plan.lines.map { line in
            let before = line.before.map(FlagSentences.stored) ?? "not set"
            let isSame = line.before == line.after
            let after =
                isSame ? "stays, same as remote" : line.after.map { "becomes \(FlagSentences.stored($0))" }
            return "\(line.key): \(before) \(after ?? "becomes not set")."
        }
        lines += plan.exceptions.map(\.sentence)
        lines.append("\(state.keyWord(of: .accept, in: part)) confirms, anything else cancels.")
        return LineModeSheet(lines: lines, prompt: "\(plan.bulkAction.rawValue.capitalized)? ")
    }

    /// The changes, then the skipped flags, each with the reason.
    ///
    /// - Parameter keyColumns: the width of the longest key, and the gap.
    private func rows(_ keyColumns: Int, columns: Int, _ state: MenuState) -> [StyledLine] {
        let isBeside = keyColumns + Self.minimumChangeColumns <= columns
        let indent = isBeside ? keyColumns : Self.gap
        let margin = StyledLine(String(repeating: " ", count: indent))
        let text = WrappedText(columns: columns - indent, charset: state.charset)
        func rows(_ key: String, _ texts: [String], _ style: Style) -> [StyledLine] {
            guard isBeside else {
                let keys = WrappedText(columns: columns, charset: state.charset).pieces(of: key)
                return keys.map { StyledLine($0, style) } + texts.map { margin.adding($0, style) }
            }
            let gap = indent - DisplayText.width(key, charset: state.charset)
            let label = StyledLine(key, style).adding(String(repeating: " ", count: gap))
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
