import FlagModel
import FlagQueries
import TerminalUI

/// The column widths at which the list shows every text in full. They are measured over all flags, not only over
/// visible flags, so that columns do not move while the user scrolls or filters.
struct ColumnNeeds: Sendable, Equatable {
    /// The width of the longest name.
    private(set) var name = 0
    /// The width of the longest value, at most ``longestValue``.
    private(set) var value = 0
    /// The width of the longest layer name in the list.
    private(set) var layer = 0
    /// The width of the longest note; 0 if no flag has a note.
    private(set) var note = 0

    /// The maximum number of flags to measure: measuring 100,000 flags would delay the first frame too long.
    static let measuredCount = 2_000
    /// The maximum number of columns that the list shows of a value.
    static let longestValue = 60

    /// The width of the layer's column even if all names of layers are shorter, for a word that some rows have instead.
    private let leastLayer: Int
    /// The widths without overrides.
    private var base: Base
    private let charset: Charset

    private struct Base: Sendable, Equatable {
        var name = 0
        var value = 0
        var layer = 0
        var note = 0
    }

    /// Measures the flags of a board.
    init(_ board: FlagBoard, charset: Charset, leastLayer: Int = 0) {
        self.charset = charset
        self.leastLayer = leastLayer
        base = Self.base(of: board, charset)
        measureOverrides(on: board)
    }

    /// Measures the overrides, after they have changed.
    mutating func measureOverrides(on board: FlagBoard) {
        (name, value, layer, note) = (base.name, base.value, max(base.layer, leastLayer), base.note)
        for place in board.overriddenPlaces.prefix(Self.measuredCount) {
            let words = FlagWords(facts: board.facts(at: place), charset: charset)
            name = max(name, DisplayText.width(words.facts.name, charset: charset))
            value = max(value, min(Self.longestValue, DisplayText.width(words.value, charset: charset)))
            layer = max(layer, words.layer.utf8.count)
            note = max(note, DisplayText.width(words.note, charset: charset))
        }
    }

    /// Measures the flags as if they had no overrides.
    private static func base(of board: FlagBoard, _ charset: Charset) -> Base {
        var values = board.values
        values.overrides = [:]
        var base = Base()
        for (index, item) in board.catalog.items.prefix(measuredCount).enumerated() {
            if board.isExpired(.item(index)) { base.note = FlagFacts.expiredWord.utf8.count }
            base.name = max(base.name, width(item.name, charset))
            let explanation = values.resolve(item.key, type: board.snapshot.type(of: item))
            base.layer = max(base.layer, (explanation.winner?.word ?? FlagWords.noLayer).utf8.count)
            // A value that cannot be longer than the longest so far need not be formatted.
            let text = explanation.value
            let name = text.flatMap { item.name(of: $0, type: explanation.type) }
            let isShort = name == nil && plainWidth(text).map { $0 <= base.value } ?? false
            if base.value == longestValue || isShort { continue }
            let shown = name ?? FlagWords.short(text?.string, explanation.type, charset)
            base.value = max(base.value, min(longestValue, DisplayText.width(shown, charset: charset)))
        }
        return base
    }

    private static func width(_ text: FlagText, _ charset: Charset) -> Int {
        plainWidth(text) ?? DisplayText.width(text.string, charset: charset)
    }

    /// The width of a text that is printable ASCII; `nil` for any other text.
    private static func plainWidth(_ text: FlagText?) -> Int? {
        text?.withUTF8 { bytes in !bytes.isEmpty && DisplayText.isPlain(bytes) ? bytes.count : nil } ?? nil
    }
}
