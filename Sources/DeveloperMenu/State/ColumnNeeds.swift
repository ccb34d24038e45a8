import FlagModel
import FlagQueries
import TerminalUI

/// The widths of the longest name and the longest value. They are measured once for a document, over its flags and
/// options and without overrides, so that no column moves while values change or the user scrolls or filters.
struct ColumnNeeds: Sendable, Equatable {
    /// The width of the longest name.
    private(set) var name = 0
    /// The width of the longest value or option, at most ``longestValue``.
    private(set) var value = 0

    /// The maximum number of flags to measure: measuring 100,000 flags would delay the first frame too long.
    static let measuredCount = 2_000
    /// The maximum width of a value that the columns are made for.
    static let longestValue = 60
    /// The room for JSON and for "not set".
    static let leastValue = 8

    /// Measures the flags of a board.
    init(_ board: FlagBoard, charset: Charset) {
        var values = board.values
        values.overrides = [:]
        values[.team].overrides = [:]
        for item in board.catalog.items.prefix(Self.measuredCount) {
            name = max(name, DisplayText.width(item.name.string, charset: charset))
            let explanation = values.resolve(item.key, type: board.snapshot.type(of: item))
            // JSON is usually longer than any column, and is cut or runs into the cells of the note.
            if explanation.type == .json || explanation.value == nil { value = max(value, Self.leastValue) }
            if explanation.type == .json { continue }
            for option in item.options { measure(FlagText(option.value), item, explanation.type, charset) }
            if let text = explanation.value { measure(text, item, explanation.type, charset) }
        }
    }

    private mutating func measure(_ text: FlagText, _ item: FlagItem, _ type: FlagType, _ charset: Charset) {
        guard value < Self.longestValue else { return }
        let shown = item.name(of: text, type: type) ?? FlagWords.short(text.string, type, charset)
        value = max(value, min(Self.longestValue, DisplayText.width(shown, charset: charset)))
    }
}
