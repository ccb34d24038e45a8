import FlagModel
import TerminalUI

/// The list of a bulk dialog in rows. Keys are never cut; the change of a flag is beside its key or, if there is no
/// room, below it.
struct BulkDialogRows {
    /// A row of the list.
    struct Row {
        /// The key or a part of it; empty if the row continues the row above.
        let key: String
        /// The change, or why the flag is skipped; empty if that is below the key.
        let text: String
        /// Whether the flag changes; `false` if it is skipped.
        let isChange: Bool
    }

    /// The maximum rows of a value; a longer value ends in an ellipsis.
    private static let rowLimit = 6
    /// The minimum columns of a shortened old value; with fewer, the new value moves to the next row.
    private static let minimumOldColumns = 6
    /// The minimum columns of a change beside its key.
    private static let minimumChangeColumns = 24
    /// Columns between a key and its change, or in front of a change below its key.
    private static let gap = 2

    let dialog: BulkDialog
    let columns: Int
    let charset: Charset
    /// The columns of the key with the gap behind it; 0 if changes are below their keys.
    let keyColumns: Int
    /// The columns of a change.
    private let textColumns: Int
    /// The index of the first row of each entry: first the changes, then the skipped flags. The last element is the
    /// number of all rows.
    private let starts: [Int]

    init(_ dialog: BulkDialog, columns: Int, charset: Charset) {
        (self.dialog, self.columns, self.charset) = (dialog, columns, charset)
        let besideColumns = Self.longestKeyWidth(of: dialog, charset) + Self.gap
        let isBeside = besideColumns + Self.minimumChangeColumns <= columns
        keyColumns = isBeside ? besideColumns : 0
        textColumns = columns - (isBeside ? besideColumns : Self.gap)
        func keyRows(_ key: String) -> Int {
            isBeside ? 0 : Self.keyRows(key, columns: columns, charset: charset).count
        }
        var (starts, rowCount, countsByReason): ([Int], Int, [String: Int]) = ([0], 0, [:])
        for line in dialog.lines {
            let isShort = line.fitsPlainly(in: textColumns)
            rowCount += isShort ? 1 : Self.texts(of: line, columns: textColumns, charset: charset).count
            rowCount += keyRows(line.key)
            starts.append(rowCount)
        }
        for exception in dialog.exceptions {
            // Each reason is measured once, as many flags share a few reasons.
            let count =
                countsByReason[exception.reason]
                ?? Self.texts(of: exception, columns: textColumns, charset: charset).count
            countsByReason[exception.reason] = count
            rowCount += count + keyRows(exception.key)
            starts.append(rowCount)
        }
        self.starts = starts
    }

    /// Wraps a key into rows, for when its change is shown below it, not beside it.
    private static func keyRows(_ key: String, columns: Int, charset: Charset) -> [String] {
        let isShort = key.utf8.count <= columns && DisplayText.isPlain(key)
        return isShort ? [key] : WrappedText(columns: columns, charset: charset).pieces(of: key)
    }

    /// The width of the longest key, in columns.
    static func longestKeyWidth(of dialog: BulkDialog, _ charset: Charset) -> Int {
        let keys = dialog.lines.lazy.map(\.key) + dialog.exceptions.lazy.map(\.key)
        return keys.map { DisplayText.width($0, charset: charset) }.max() ?? 0
    }

    /// The columns needed to show each change in one row beside its key.
    static func wantedColumns(of dialog: BulkDialog, _ charset: Charset) -> Int {
        let texts = dialog.lines.lazy.map { $0.oldText.utf8.count + $0.newText.utf8.count + 4 }
        return longestKeyWidth(of: dialog, charset) + gap + max(minimumChangeColumns, texts.max() ?? 0)
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

    /// The index of the entry that has a row.
    private func entry(at row: Int) -> Int {
        starts.dropFirst().partitioningIndex { $0 > row } - 1
    }

    private func rows(of entry: Int) -> [Row] {
        let isChange = entry < dialog.lines.count
        let exception = isChange ? nil : dialog.exceptions[entry - dialog.lines.count]
        let key = exception?.key ?? dialog.lines[entry].key
        let texts =
            exception.map { Self.texts(of: $0, columns: textColumns, charset: charset) }
            ?? Self.texts(of: dialog.lines[entry], columns: textColumns, charset: charset)
        guard keyColumns == 0 else {
            return texts.enumerated().map { Row(key: $0 == 0 ? key : "", text: $1, isChange: isChange) }
        }
        let keys = Self.keyRows(key, columns: columns, charset: charset)
        let margin = String(repeating: " ", count: Self.gap)
        return keys.map { Row(key: $0, text: "", isChange: isChange) }
            + texts.map { Row(key: "", text: margin + $0, isChange: isChange) }
    }

    private static func texts(of exception: BulkDialog.Exception, columns: Int, charset: Charset) -> [String] {
        DisplayText.wrapped("left out: \(exception.reason)", columns: columns, charset: charset)
    }

    /// `old -> new` in one row if it fits, else with the old value shortened, else with the new value in the rows
    /// below.
    private static func texts(of line: BulkDialog.Line, columns: Int, charset: Charset) -> [String] {
        // Text beyond what all rows can show is not measured.
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

extension BulkDialog.Line {
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

    /// Whether the change surely fits in one row; `false` if that has to be measured. Fast, as thousands of changes are
    /// checked at each key press.
    fileprivate func fitsPlainly(in columns: Int) -> Bool {
        let (old, new) = (before ?? "not set", after ?? "not set")
        // 13 columns for the arrow, and for quotes or the note " (same)".
        return old.utf8.count + new.utf8.count + 13 <= columns && DisplayText.isPlain(old) && DisplayText.isPlain(new)
    }
}
