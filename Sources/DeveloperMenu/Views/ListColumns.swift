import FlagModel
import FlagQueries
import TerminalUI

/// The columns of the list, counted from its left edge: pointer, bar, glyph, mark, name, value and note.
///
/// Values begin behind the longest name, in a column that is as wide as the longest value, but at most a third of the
/// row. A name or a value that is longer takes the cells behind it; notes give way first.
struct ListColumns: Equatable {
    static let bar = 1..<2
    static let glyph = 2..<3
    static let mark = 3..<4
    static let nameStart = 5
    /// The number of empty columns between two columns.
    static let gap = 2

    /// The column that values begin in.
    let value: Int
    /// The column that notes begin in.
    let note: Int
    /// The column behind the list; the last one is for the scroll bar.
    let end: Int

    /// The width of the notes that the list makes room for beside the detail.
    private static let noteColumns = 26

    init(_ needs: ColumnNeeds, width: Int) {
        end = max(Self.nameStart + 4, width - 1)
        let values = min(needs.value, max(ColumnNeeds.leastValue, width / 3))
        let names = min(needs.name, max(1, end - Self.nameStart - Self.gap - values))
        value = Self.nameStart + names + Self.gap
        note = value + values + Self.gap
    }

    /// The width at which no name is cut.
    static func width(_ needs: ColumnNeeds) -> Int {
        nameStart + needs.name + gap + min(max(1, needs.value), ColumnNeeds.leastValue) + 1
    }

    /// The width at which names, values and most notes are whole.
    static func wholeWidth(_ needs: ColumnNeeds) -> Int {
        nameStart + needs.name + gap + needs.value + gap + noteColumns + 1
    }

    /// The columns of one row; a range is empty if there is no room.
    struct Row: Equatable {
        let name, value, note: Range<Int>
    }

    /// The columns of a row.
    ///
    /// - Parameters:
    ///   - name: the width of the name.
    ///   - value: the width of the value.
    ///   - note: the width of the note. A note that is too long begins before its column, if the value leaves room.
    ///   - leastValue: the room that a long name leaves for the value.
    func row(name: Int, value width: Int, note noteWidth: Int, leastValue: Int) -> Row {
        let longest = max(1, end - Self.nameStart - Self.gap - leastValue)
        let start = max(value, Self.nameStart + min(name, longest) + Self.gap)
        let valueEnd = max(start, min(end, start + width))
        let noteStart = max(min(note, end - noteWidth), valueEnd + Self.gap)
        return Row(
            name: Self.nameStart..<start - Self.gap, value: start..<max(start, end),
            note: noteStart..<max(noteStart, end))
    }
}

/// The widths of the longest name and the longest value. They are measured once for a document, over its flags and
/// options and without overrides, so that no column moves while values change or the user scrolls or filters.
struct ColumnNeeds: Sendable, Equatable {
    /// The width of the longest name.
    private(set) var name = 0
    /// The width of the longest value or option, at most ``longestValue``.
    private(set) var value = 0

    /// The maximum number of flags to measure: measuring 100,000 flags would delay the first frame too long.
    static let measuredCount = 500
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
            for option in item.options { measure(option.value, item, explanation.type, charset) }
            if let text = explanation.value { measure(text.string, item, explanation.type, charset) }
        }
    }

    private mutating func measure(_ text: String, _ item: FlagItem, _ type: FlagType, _ charset: Charset) {
        guard value < Self.longestValue else { return }
        let shown = item.name(of: text, type: type) ?? FlagWords.short(text, type, charset)
        value = max(value, min(Self.longestValue, DisplayText.width(shown, charset: charset)))
    }
}
