import FlagModel
import TerminalUI

/// The words for a flag, the same in every view.
struct FlagWords {
    let facts: FlagFacts
    let charset: Charset

    /// A value for the list: `on` and `off` for a bool, JSON without its white space, quotes for an empty text.
    static func short(_ value: String?, _ type: FlagType, _ charset: Charset) -> String {
        guard let value else { return "not set" }
        if type == .bool, let bool = FlagReading.bool(value), type.accepts(value), !value.isEmpty {
            return bool ? "on" : "off"
        }
        if type == .json, let brackets = FoldedJSON.brackets(of: value, charset) {
            // Only the beginning and the end of a long text are shown, so it need not be parsed.
            return value.utf8.count <= longestCompacted ? JSONSpacing.compact(value) ?? value : brackets
        }
        return value.orQuotes
    }

    /// JSON of more bytes is folded in the list.
    private static let longestCompacted = 4_096

    /// The value in use, for the list.
    var value: String { Self.short(facts.value, facts.type, charset) }

    /// The value in so many columns: cut in the middle, and JSON with hardly any room as its brackets.
    ///
    /// - Parameter text: the value of ``value``.
    func fitted(_ text: String, columns: Int) -> String {
        if DisplayText.fits(text, columns: columns, charset: charset) { return text }
        if facts.type == .json, columns < Self.leastJSON, let brackets = FoldedJSON.brackets(of: text, charset) {
            return brackets
        }
        return DisplayText.middleClipped(text, to: columns, charset: charset)
    }

    /// Fewer columns of JSON are of no use.
    private static let leastJSON = 12

    /// The layer of the value.
    var layer: String { facts.explanation.winner?.word ?? Self.noLayer }

    /// The word for a flag without a value in any layer.
    static let noLayer = "none"

    static let expired = "expired"

    /// A longer remote value is only marked as different.
    private static let longestInNote = 12

    /// The layer, or the state of the override, for a list without notes.
    var layerOrState: String {
        facts.isOnlyExpired ? Self.expired : facts.state.columnWord ?? layer
    }

    /// The marker of a row: for the override's state, or for an expired flag.
    var marker: Character { facts.isOnlyExpired ? "x" : facts.state.marker }

    /// The note of the row: the remote value, the error of the override, the layer that hides it, or that the flag has
    /// expired.
    var note: String {
        guard let override = facts.override else { return facts.expiry == nil ? "" : Self.expired }
        if facts.explanation.winner == .launch { return "override hidden" }
        switch facts.state {
        case .notSet, .sameAsRemote, .stale, .invalid: return facts.state.shortReason
        case .overridden:
            guard let base = facts.base else { return "no other value" }
            let value = Self.short(base.value?.string, facts.type, charset)
            let layer = base.layer.word
            let isLongOrAlike =
                facts.type == .json || !DisplayText.fits(value, columns: Self.longestInNote, charset: charset)
                || value == Self.short(override.value, facts.type, charset)
            return isLongOrAlike ? "\(layer) differs" : "\(layer): \(value)"
        }
    }
}

extension FlagFacts {
    /// The word for the state of the flag and its override, as in lists of commands; empty if there is nothing to say.
    package var stateWord: String { isOnlyExpired ? FlagWords.expired : state.word }

    /// Whether it has expired and has no more important state, such as of an override.
    fileprivate var isOnlyExpired: Bool { state == .notSet && expiry != nil }
}

extension OverrideState {
    /// The reason in a word or two, for a column of the list.
    var shortReason: String {
        switch self {
        case .notSet, .overridden: ""
        case .sameAsRemote: "same as remote"
        case .stale: "stale"
        case .invalid: "override unused"
        }
    }

    /// One word for a state that the layer's name does not show.
    var columnWord: String? {
        switch self {
        case .notSet, .overridden: nil
        case .sameAsRemote: "same"
        case .stale: "stale"
        case .invalid: "invalid"
        }
    }

    /// The reason as a sentence, for the detail.
    var sentence: String? {
        switch self {
        case .notSet, .overridden: nil
        case .sameAsRemote: "The override equals the remote value: it stays when remote changes."
        case .stale(let reason), .invalid(let reason): "\(reason.capitalized)."
        }
    }
}
