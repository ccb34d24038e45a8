import FlagModel
import TerminalUI

/// How the menu puts a flag into words, the same in every view.
struct FlagWords {
    let facts: FlagFacts
    let charset: Charset

    /// A value for the list: `on` and `off` for a bool, braces for JSON, quotes for nothing at all.
    func short(_ value: String?) -> String {
        guard let value else { return "not set" }
        if facts.type == .bool, let bool = FlagReading.bool(value), facts.type.accepts(value), !value.isEmpty {
            return bool ? "on" : "off"
        }
        if facts.type == .json, facts.type.accepts(value) {
            return FoldedJSON.brackets(isArray: value.first == "[", charset)
        }
        return value.orQuotes
    }

    /// The value in use, for the list.
    var value: String { short(facts.value) }

    /// The layer that it comes from.
    var layer: String { facts.explanation.winner?.word ?? "none" }

    /// The layer, or what is odd about the override, for a list without notes.
    var layerOrState: String { facts.state.columnWord ?? layer }

    /// What the row adds: what remote says, why the override is odd, or which layer hides it.
    var note: String {
        guard let override = facts.override else { return "" }
        if facts.explanation.winner == .launch { return "override hidden" }
        switch facts.state {
        case .notSet, .sameAsRemote, .stale, .invalid: return facts.state.shortReason
        case .overridden:
            guard let base = facts.base else { return "no other value" }
            let (layer, value) = (base.layer.word, short(base.value?.string))
            let isLongOrAlike = facts.type == .json || value == short(override.value)
            return isLongOrAlike ? "\(layer) differs" : "\(layer): \(value)"
        }
    }
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

    /// One word for a state that the layer's name does not tell.
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
