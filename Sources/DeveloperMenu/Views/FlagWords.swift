import FlagModel
import FlagQueries
import TerminalUI

/// The words for a flag in the list and in other views.
struct FlagWords {
    let facts: FlagFacts
    let charset: Charset

    /// A value for the list, as it is stored: JSON without its white space, quotes for an empty text.
    static func short(_ value: String?, _ type: FlagType, _ charset: Charset) -> String {
        guard let value else { return "not set" }
        if type == .json, let brackets = FoldedJSON.brackets(of: value, charset) {
            // Long JSON is shown only as brackets, so it need not be parsed.
            return value.utf8.count <= longestCompacted ? JSONSpacing.compact(value) ?? value : brackets
        }
        return value.orQuotes
    }

    /// The maximum size in bytes of JSON that the list shows in full. Larger JSON is folded.
    private static let longestCompacted = 4_096

    /// The value in use, for the list: by its name if it has one.
    var value: String { facts.valueName ?? Self.short(facts.value, facts.type, charset) }

    /// The value cut to a number of columns by omitting its middle. JSON with little room is shown as its brackets.
    ///
    /// - Parameter text: ``value``, which the caller has computed already.
    func fitted(_ text: String, columns: Int) -> String {
        if DisplayText.fits(text, columns: columns, charset: charset) { return text }
        if facts.type == .json, columns < Self.leastJSON, let brackets = FoldedJSON.brackets(of: text, charset) {
            return brackets
        }
        return DisplayText.middleClipped(text, to: columns, charset: charset)
    }

    /// The minimum width of cut JSON. With fewer columns, JSON is shown as its brackets.
    private static let leastJSON = 12

    /// The name of the layer that the value is from.
    var layer: String { facts.explanation.winner?.word ?? Self.noLayer }

    /// The word for a flag without a value in any layer.
    static let noLayer = "none"

    /// The maximum width of a remote value in a note. For a longer value, the note only says that the values differ.
    private static let longestInNote = 12

    /// The flag's layer or, if the flag's state is more important, the state. For a list without a column of notes.
    var layerOrState: String {
        facts.isOnlyExpired ? FlagFacts.expiredWord : facts.state.columnWord ?? layer
    }

    /// The marker of a row: for the override's state, or for an expired flag.
    var marker: Character { facts.isOnlyExpired ? "x" : facts.state.marker }

    /// The note of the row, such as the remote value, the error of the override, or a word for a hidden override or an
    /// expired flag.
    var note: String {
        guard let override = facts.override else { return facts.expiry == nil ? "" : FlagFacts.expiredWord }
        if facts.explanation.winner == .launch { return "override hidden" }
        switch facts.state {
        case .notSet, .sameAsRemote, .stale, .invalid: return facts.state.shortReason
        case .overridden:
            guard let base = facts.base else { return "no other value" }
            let name = base.value.flatMap { facts.item?.name(of: $0, type: facts.type) }
            let value = name ?? Self.short(base.value?.string, facts.type, charset)
            let layer = base.layer.word
            if facts.isSame(base.value?.string, override.value) { return "same as \(layer)" }
            let omitsValue =
                facts.type == .json || !DisplayText.fits(value, columns: Self.longestInNote, charset: charset)
                || value == self.value
            return omitsValue ? "\(layer) differs" : "\(layer): \(value)"
        }
    }
}

extension OverrideState {
    /// The state in a few words, for the column of notes.
    var shortReason: String {
        switch self {
        case .notSet, .overridden: ""
        case .sameAsRemote: "same as remote"
        case .stale: "stale"
        case .invalid: "override unused"
        }
    }

    /// The state in one word, for the column of layers; `nil` if the layer's name shows the state.
    var columnWord: String? {
        switch self {
        case .notSet, .overridden: nil
        case .sameAsRemote: "same"
        case .stale: "stale"
        case .invalid: "invalid"
        }
    }
}
