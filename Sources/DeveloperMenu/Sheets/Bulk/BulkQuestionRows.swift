import FlagModel
import TerminalUI

/// What a question lists, in rows beside the keys: what becomes of a flag is never cut to make room for what it was.
struct BulkQuestionRows {
    /// A row of the list.
    struct Row {
        /// The key; `nil` where the row goes on with the one above.
        let key: String?
        let text: String
        let isChange: Bool
    }

    /// Values that take more rows than this end in an ellipsis; the title names the one that is set.
    private static let rowLimit = 6
    /// What an old value is shortened to before the new one moves to a row of its own.
    private static let leastOld = 6

    let question: BulkQuestion
    /// The columns beside the key.
    let columns: Int
    let charset: Charset
    /// The index of the first row of each entry, and behind them the number of all rows.
    private let starts: [Int]

    init(_ question: BulkQuestion, columns: Int, charset: Charset) {
        (self.question, self.columns, self.charset) = (question, columns, charset)
        var (starts, next, known): ([Int], Int, [String: Int]) = ([0], 0, [:])
        for line in question.lines {
            let isShort = line.fitsPlainly(in: columns)
            next += isShort ? 1 : Self.texts(of: line, columns: columns, charset: charset).count
            starts.append(next)
        }
        for exception in question.exceptions {
            // Many flags are left out for the same few reasons.
            let count = known[exception.reason] ?? Self.texts(of: exception, columns: columns, charset: charset).count
            known[exception.reason] = count
            next += count
            starts.append(next)
        }
        self.starts = starts
    }

    var count: Int { starts[starts.count - 1] }

    /// The rows from one to before another.
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
            exception.map { Self.texts(of: $0, columns: columns, charset: charset) }
            ?? Self.texts(of: question.lines[entry], columns: columns, charset: charset)
        return texts.enumerated().map { Row(key: $0 == 0 ? key : nil, text: $1, isChange: isChange) }
    }

    private static func texts(of exception: BulkQuestion.Exception, columns: Int, charset: Charset) -> [String] {
        DisplayText.wrapped("left out: \(exception.reason)", columns: columns, charset: charset)
    }

    /// `old -> new` in one row; where it does not fit, with the old value shortened, and then with the new one below.
    private static func texts(of line: BulkQuestion.Line, columns: Int, charset: Charset) -> [String] {
        // More than all rows hold need not be measured.
        let after = String(line.newWords.prefix((rowLimit + 1) * columns))
        let before = String(line.oldWords.prefix(columns + 1))
        let room = columns - 4 - DisplayText.width(after, charset: charset)
        if DisplayText.width(before, charset: charset) <= room { return ["\(before) -> \(after)"] }
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

    /// The old value as what it is rather than as its beginning, where it is JSON.
    fileprivate func foldedOld(_ charset: Charset) -> String? {
        switch (before?.first, before?.last) {
        case ("{", "}"): FoldedJSON.brackets(isArray: false, charset)
        case ("[", "]"): FoldedJSON.brackets(isArray: true, charset)
        default: nil
        }
    }

    /// Whether it plainly takes one row: thousands of lines are measured with each key.
    fileprivate func fitsPlainly(in columns: Int) -> Bool {
        let (before, after) = (before ?? "not set", after ?? "not set")
        // An arrow, and quotes or a remark.
        return before.utf8.count + after.utf8.count + 13 <= columns && DisplayText.isPlain(before)
            && DisplayText.isPlain(after)
    }
}
