package import FlagModel

/// Describes one flag in sentences for screen readers: the most important word first, no symbols.
package struct FlagSentences {
    package let facts: FlagFacts
    /// The note and the end of the override, each after a comma.
    private let additions: String

    /// The sentences about a flag at a time.
    package init(_ facts: FlagFacts, at now: FlagTimestamp) {
        self.facts = facts
        additions = facts.additions(at: now).map { ", \($0)" }.joined()
    }

    /// Name, value and state, such as `AI workout generation: false, changed, was true.`
    package var brief: String { "\(facts.name): \(stateText)" }

    /// The maximum number of characters of a value in a row of the list.
    private static let briefLimit = 60
    /// The maximum number of characters of a value that are printed; the number of omitted characters is printed
    /// instead.
    private static let wholeLimit = 2_000

    private var stateText: String {
        let value = spoken(facts.value)
        guard let override = facts.override else {
            switch facts.explanation.winner {
            case nil: return "not set."
            case .launch: return "\(value), from launch, for this run only."
            case let layer?:
                let condition = facts.forcedCondition.map { ", condition \($0) by hand" } ?? ""
                let origin = layer == .remote ? condition : ", from \(layer.word)\(additions)"
                return "\(value)\(origin)\(facts.expiry == nil ? "" : ", expired")."
            }
        }
        if facts.explanation.winner == .launch {
            return "\(value), from launch, for this run only. The override \(spoken(override.value)) is hidden."
        }
        switch facts.state {
        case .notSet: return value
        case .overridden: return "\(value), changed, \(base)\(additions)."
        case .sameAsRemote: return "\(value), changed, same as remote\(additions)."
        case .stale:
            let base = facts.base == nil ? "" : ", \(base)"
            return "\(value), changed, stale\(base)\(additions). \(facts.state.sentence ?? "")"
        case .invalid: return "\(value), override invalid\(additions). \(facts.state.sentence ?? "")"
        }
    }

    /// What the value would be without the override.
    private var base: String {
        guard let base = facts.base else { return "not set otherwise" }
        if facts.isSame(base.value?.string, facts.value) { return "same as \(base.layer.word)" }
        let value = spoken(base.value?.string)
        return value == spoken(facts.value) ? "\(base.layer.word) differs" : "was \(value)"
    }

    /// A value in words: its text, the size of JSON, a word for an empty or missing value.
    package func spoken(_ value: String?) -> String {
        guard let value else { return "not set" }
        guard !value.isEmpty else { return "empty" }
        if facts.type == .json, let json = FoldedJSON(value) {
            return "a JSON \(json.isArray ? "list" : "object"), \(json.size)"
        }
        return Self.cut(value, to: Self.briefLimit)
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        let count = text.count
        guard count > limit else { return text }
        return "\(text.prefix(limit)) and \((count - limit).counted("more character"))"
    }

    /// A value as it is stored, truncated if it is very long.
    package static func stored(_ value: String) -> String { value.isEmpty ? "empty" : cut(value, to: wholeLimit) }
}

extension FlagSentences {
    /// The explanation of the flag, except its options.
    package func explained(by content: ExplanationContent) -> [String] {
        [brief] + identity + metadata(content) + layers(content) + conditions
    }

    private var identity: [String] {
        let bounds = facts.bounds.map { ", \($0.summary)" } ?? ""
        let key = "Key \(facts.key), type \(facts.type.rawValue)\(bounds)."
        guard let details = facts.item?.details, !details.isEmpty else { return [key] }
        return [key, details.string]
    }

    private func metadata(_ content: ExplanationContent) -> [String] {
        let parts =
            content.metadata.map { "\($0.label) \($0.text)." } + [content.restart].compactMap { $0 }
            + content.facts.mismatches
        return parts.isEmpty ? [] : [parts.joined(separator: " ")]
    }

    /// A line for each value, the highest layer first. Then a line for the layers without a value and, if the override
    /// equals the remote value, a line that explains this.
    private func layers(_ content: ExplanationContent) -> [String] {
        let isEmptyRow = { (row: ExplanationContent.Row) in row.value == nil && row.note.isEmpty }
        var lines = content.rows.filter { !isEmptyRow($0) }.map { row in
            let parts = [row.value.map(Self.stored) ?? "not set", row.isWinner ? "in use" : "", row.note]
            let name = row.isOtherSource ? "Source \(row.name)" : row.name.capitalized
            return "\(name): \(parts.filter { !$0.isEmpty }.joined(separator: ", "))."
        }
        let emptyNames = content.rows.filter(isEmptyRow).map(\.name)
        if !emptyNames.isEmpty { lines.append("Not set: \(emptyNames.joined(separator: ", ")).") }
        guard case .sameAsRemote = facts.state, let sentence = facts.state.sentence else { return lines }
        return lines + [sentence]
    }

    private var conditions: [String] {
        facts.remoteConditions.map { step in
            "Condition \(step.condition.name.string): \(step.words.joined(separator: ", "))."
        }
    }
}

extension FlagFacts {
    /// The name of the condition that was set by hand and decides the remote value; `nil` if there is none.
    package var forcedCondition: String? {
        remoteConditions.first { $0.part == .decides && $0.condition.forced != nil }?.condition.name.string
    }
}
