import FlagModel
import TerminalUI

/// The list of a dialog in rows: whole keys with the changes of their flags beside them or, if there is no room, below
/// them.
struct BulkQuestionRows {
    /// A row of the list.
    struct Row {
        /// The key or a part of it; empty if the row continues the one above.
        let key: String
        let text: String
        let isChange: Bool
    }

    /// Values that need more rows than this end in an ellipsis; the title has the one that is set.
    private static let rowLimit = 6
    /// The least columns of a shortened old value before the new one moves to the next row.
    private static let leastOld = 6
    /// The least columns for a change beside the key.
    private static let leastText = 24
    /// Columns between a key and its change, or in front of a change below its key.
    private static let gap = 2

    let question: BulkQuestion
    let columns: Int
    let charset: Charset
    /// The columns of the key with the gap behind it; 0 if changes are below their keys.
    let keyColumns: Int
    /// The columns of a change.
    private let textColumns: Int
    /// The index of the first row of each entry, and the number of all rows at the end.
    private let starts: [Int]

    init(_ question: BulkQuestion, columns: Int, charset: Charset) {
        (self.question, self.columns, self.charset) = (question, columns, charset)
        let longest = Self.longestKey(of: question, charset) + Self.gap
        let isBeside = longest + Self.leastText <= columns
        keyColumns = isBeside ? longest : 0
        textColumns = columns - (isBeside ? longest : Self.gap)
        func keyRows(_ key: String) -> Int {
            isBeside ? 0 : Self.keyRows(key, columns: columns, charset: charset).count
        }
        var (starts, next, known): ([Int], Int, [String: Int]) = ([0], 0, [:])
        for line in question.lines {
            let isShort = line.fitsPlainly(in: textColumns)
            next += isShort ? 1 : Self.texts(of: line, columns: textColumns, charset: charset).count
            next += keyRows(line.key)
            starts.append(next)
        }
        for exception in question.exceptions {
            // Many flags are skipped for the same few reasons.
            let count =
                known[exception.reason] ?? Self.texts(of: exception, columns: textColumns, charset: charset).count
            known[exception.reason] = count
            next += count + keyRows(exception.key)
            starts.append(next)
        }
        self.starts = starts
    }

    private static func keyRows(_ key: String, columns: Int, charset: Charset) -> [String] {
        let isShort = key.utf8.count <= columns && DisplayText.isPlain(key)
        return isShort ? [key] : WrappedText(columns: columns, charset: charset).pieces(of: key)
    }

    /// The columns of the longest key.
    static func longestKey(of question: BulkQuestion, _ charset: Charset) -> Int {
        let keys = question.lines.lazy.map(\.key) + question.exceptions.lazy.map(\.key)
        return keys.map { DisplayText.width($0, charset: charset) }.max() ?? 0
    }

    /// The columns in which no short change is cut.
    static func wantedColumns(of question: BulkQuestion, _ charset: Charset) -> Int {
        let texts = question.lines.lazy.map { $0.oldWords.utf8.count + $0.newWords.utf8.count + 4 }
        return longestKey(of: question, charset) + gap + max(leastText, texts.max() ?? 0)
    }

    var count: Int { starts[starts.count - 1] }

    /// The rows in a range.
    func rows(_ range: Range<Int>) -> [Row] {
        var rows: [Row] = []
        for entry in (firstEntry(at: range.lowerBound)..<starts.count - 1) where starts[entry] < range.upperBound {
            let shown = self.rows(of: entry).enumerated().filter { range.contains(starts[entry] + $0.offset) }
            rows += shown.map(\.element)
            if starts[entry + 1] >= range.upperBound { break }
        }
        return rows
    }

    private func firstEntry(at row: Int) -> Int {
        starts.dropFirst().partitioningIndex { $0 > row } - 1
    }

    private func rows(of entry: Int) -> [Row] {
        let isChange = entry < question.lines.count
        let exception = isChange ? nil : question.exceptions[entry - question.lines.count]
        let key = exception?.key ?? question.lines[entry].key
        let texts =
            exception.map { Self.texts(of: $0, columns: textColumns, charset: charset) }
            ?? Self.texts(of: question.lines[entry], columns: textColumns, charset: charset)
        guard keyColumns == 0 else {
            return texts.enumerated().map { Row(key: $0 == 0 ? key : "", text: $1, isChange: isChange) }
        }
        let keys = Self.keyRows(key, columns: columns, charset: charset)
        let margin = String(repeating: " ", count: Self.gap)
        return keys.map { Row(key: $0, text: "", isChange: isChange) }
            + texts.map { Row(key: "", text: margin + $0, isChange: isChange) }
    }

    private static func texts(of exception: BulkQuestion.Exception, columns: Int, charset: Charset) -> [String] {
        DisplayText.wrapped("left out: \(exception.reason)", columns: columns, charset: charset)
    }

    /// `old -> new` in one row; if it does not fit, with the old value shortened, and then with the new one below.
    private static func texts(of line: BulkQuestion.Line, columns: Int, charset: Charset) -> [String] {
        // More than all rows can show need not be measured.
        let after = String(line.newWords.prefix((rowLimit + 1) * columns))
        let before = String(line.oldWords.prefix(columns + 1))
        let room = columns - 4 - DisplayText.width(after, charset: charset)
        if DisplayText.fits(before, columns: room, charset: charset) { return ["\(before) -> \(after)"] }
        let old = line.foldedOld(charset) ?? before
        if room >= min(leastOld, DisplayText.width(old, charset: charset)) {
            return ["\(DisplayText.clipped(old, to: room, charset: charset)) -> \(after)"]
        }
        let first = DisplayText.clipped(old, to: max(1, columns - 3), charset: charset) + " ->"
        return [first] + WrappedText(columns: columns, charset: charset).pieces(of: after, atMost: rowLimit)
    }
}

extension BulkQuestion.Line {
    private var isSame: Bool { before != nil && before == after }

    fileprivate var oldWords: String { Self.shown(before) }
    fileprivate var newWords: String { "\(Self.shown(after))\(isSame ? " (same)" : "")" }

    private static func shown(_ value: String?) -> String {
        EffectiveChange.shown(value)
    }

    /// A summary of the old value rather than its beginning, if it is JSON.
    fileprivate func foldedOld(_ charset: Charset) -> String? {
        switch (before?.first, before?.last) {
        case ("{", "}"): FoldedJSON.brackets(isArray: false, charset)
        case ("[", "]"): FoldedJSON.brackets(isArray: true, charset)
        default: nil
        }
    }

    /// Whether it certainly fits in one row: thousands of lines are measured with each key.
    fileprivate func fitsPlainly(in columns: Int) -> Bool {
        let (before, after) = (before ?? "not set", after ?? "not set")
        // An arrow, and quotes or a remark.
        return before.utf8.count + after.utf8.count + 13 <= columns && DisplayText.isPlain(before)
            && DisplayText.isPlain(after)
    }
}
