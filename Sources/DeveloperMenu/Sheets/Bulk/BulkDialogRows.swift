import FlagModel
import FlagQueries
import TerminalUI

/// The rows of a bulk dialog's list. Keys are never cut. A change is beside the flag's key or, if there is no room,
/// below the key.
struct BulkDialogRows {
    /// A row of the list.
    struct Row {
        /// The key or a part of it; empty if the row continues the row above.
        let key: String
        /// The change, or why the flag is skipped; empty if this text is in the rows below.
        let text: String
        /// Whether the flag changes; `false` if it is skipped.
        let isChange: Bool
    }

    /// The maximum number of rows of a value; a longer value ends in an ellipsis.
    private static let rowLimit = 6
    /// The minimum width of a shortened old value. If there is less room, the new value starts in the next row.
    private static let minimumOldColumns = 6
    /// The minimum width of a change that is drawn beside its key.
    private static let minimumChangeColumns = 24
    /// The number of columns between a key and its change, or the indentation of a change below its key.
    private static let gap = 2

    let plan: BulkPlan
    let columns: Int
    let charset: Charset
    /// The width of the column of keys, including the gap; 0 if changes are below their keys.
    let keyColumns: Int
    /// The width of the column of changes.
    private let textColumns: Int
    /// The index of each entry's first row. The entries are the changes, then the skipped flags. The last element is
    /// the total number of rows.
    private let starts: [Int]

    init(_ plan: BulkPlan, columns: Int, charset: Charset) {
        (self.plan, self.columns, self.charset) = (plan, columns, charset)
        let besideColumns = Self.longestKeyWidth(of: plan, charset) + Self.gap
        let isBeside = besideColumns + Self.minimumChangeColumns <= columns
        keyColumns = isBeside ? besideColumns : 0
        textColumns = columns - (isBeside ? besideColumns : Self.gap)
        func keyRows(_ key: String) -> Int {
            isBeside ? 0 : Self.keyRows(key, columns: columns, charset: charset).count
        }
        var (starts, rowCount, countsByReason): ([Int], Int, [String: Int]) = ([0], 0, [:])
        for line in plan.lines {
            let isShort = line.fitsPlainly(in: textColumns)
            rowCount += isShort ? 1 : Self.texts(of: line, columns: textColumns, charset: charset).count
            rowCount += keyRows(line.key)
            starts.append(rowCount)
        }
        for exception in plan.exceptions {
            // Each reason is wrapped only once, as many flags have the same reason.
            let count =
                countsByReason[exception.reason]
                ?? Self.texts(of: exception, columns: textColumns, charset: charset).count
            countsByReason[exception.reason] = count
            rowCount += count + keyRows(exception.key)
            starts.append(rowCount)
        }
        self.starts = starts
    }

    /// Wraps a key into rows, if its change is below the key.
    private static func keyRows(_ key: String, columns: Int, charset: Charset) -> [String] {
        let isShort = key.utf8.count <= columns && DisplayText.isPlain(key)
        return isShort ? [key] : WrappedText(columns: columns, charset: charset).pieces(of: key)
    }

    /// The width of the longest key, in columns.
    static func longestKeyWidth(of plan: BulkPlan, _ charset: Charset) -> Int {
        let keys = plan.lines.lazy.map(\.key) + plan.exceptions.lazy.map(\.key)
        return keys.map { DisplayText.width($0, charset: charset) }.max() ?? 0
    }

    /// The width that is needed to show each change in one row beside its key.
    static func wantedColumns(of plan: BulkPlan, _ charset: Charset) -> Int {
        let texts = plan.lines.lazy.map { $0.oldText.utf8.count + $0.newText.utf8.count + 4 }
        return longestKeyWidth(of: plan, charset) + gap + max(minimumChangeColumns, texts.max() ?? 0)
    }

    /// The number of rows.
    var count: Int { starts[starts.count - 1] }

    /// The rows in a range.
    func rows(_ range: Range<Int>) -> [Row] {
        var rows: [Row] = []
        for entry in (self.entry(at: range.lowerBound)..<starts.count - 1) where starts[entry] < range.upperBound {
            let visible = self.rows(of: entry).enumerated().filter { range.contains(starts[entry] + $0.offset) }
            rows += visible.map(\.element)
            if starts[entry + 1] >= range.upperBound { break }
        }
        return rows
    }

    /// The index of the entry that a row belongs to.
    private func entry(at row: Int) -> Int {
        starts.dropFirst().partitioningIndex { $0 > row } - 1
    }

    private func rows(of entry: Int) -> [Row] {
        let isChange = entry < plan.lines.count
        let exception = isChange ? nil : plan.exceptions[entry - plan.lines.count]
        let key = exception?.key ?? plan.lines[entry].key
        let texts =
            exception.map { Self.texts(of: $0, columns: textColumns, charset: charset) }
            ?? Self.texts(of: plan.lines[entry], columns: textColumns, charset: charset)
        guard keyColumns == 0 else {
            return texts.enumerated().map { Row(key: $0 == 0 ? key : "", text: $1, isChange: isChange) }
        }
        let keys = Self.keyRows(key, columns: columns, charset: charset)
        let margin = String(repeating: " ", count: Self.gap)
        return keys.map { Row(key: $0, text: "", isChange: isChange) }
            + texts.map { Row(key: "", text: margin + $0, isChange: isChange) }
    }

    private static func texts(of exception: BulkPlan.Exception, columns: Int, charset: Charset) -> [String] {
        DisplayText.wrapped("left out: \(exception.reason)", columns: columns, charset: charset)
    }

    /// The change as `old -> new` in one row. If the change does not fit, the old value is shortened; if that is not
    /// enough, the new value is in the rows below.
    private static func texts(of line: BulkPlan.Line, columns: Int, charset: Charset) -> [String] {
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
        return [first] + WrappedText(columns: columns, charset: charset).pieces(of: new, atMost: rowLimit)
    }
}

extension BulkPlan.Line {
    private var isSame: Bool { before != nil && before == after }

    fileprivate var oldText: String { Self.shown(before) }
    fileprivate var newText: String { "\(Self.shown(after))\(isSame ? " (same)" : "")" }

    private static func shown(_ value: String?) -> String {
        EffectiveChange.shown(value)
    }

    /// Brackets with an ellipsis for an old value that looks like a JSON object or array; `nil` for other values.
    fileprivate func foldedOld(_ charset: Charset) -> String? {
        switch (before?.first, before?.last) {
        case ("{", "}"): FoldedJSON.brackets(isArray: false, charset)
        case ("[", "]"): FoldedJSON.brackets(isArray: true, charset)
        default: nil
        }
    }

    /// Whether the change certainly fits in one row; `false` if the width has to be measured. This fast check is used
    /// for thousands of changes at each key press.
    fileprivate func fitsPlainly(in columns: Int) -> Bool {
        let (old, new) = (before ?? "not set", after ?? "not set")
        // 13 columns for the arrow, and for quotes or the note " (same)".
        return old.utf8.count + new.utf8.count + 13 <= columns && DisplayText.isPlain(old) && DisplayText.isPlain(new)
    }
}
