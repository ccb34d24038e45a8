public import FlagModel

/// The option list of one flag, drawn over the flags.
public struct OptionList: Sendable, Equatable {
    /// One line of it.
    public struct Choice: Sendable, Equatable {
        /// Its value.
        public let value: String
        /// Its label: the conditions that choose it, or that it is not in the catalog.
        public let label: String?
    }

    /// The flag's key.
    public let key: FlagText
    /// The selected value; it stays selected when flags change.
    public internal(set) var selectedValue: String

    /// Opens on the value in use.
    init(_ facts: FlagFacts) {
        key = FlagText(facts.key)
        let choices = Self.choices(of: facts)
        selectedValue = choices.first { facts.isSame($0.value, facts.value) }?.value ?? choices.first?.value ?? ""
    }

    /// The options, and values in use that are not among them.
    public static func choices(of facts: FlagFacts) -> [Choice] {
        var choices = facts.options.map { Choice(value: $0.value, label: $0.label) }
        let others = [facts.override?.value, facts.explanation.value(in: .remote)?.string]
        for case let value? in others where !choices.contains(where: { facts.isSame($0.value, value) }) {
            choices.append(Choice(value: value, label: "not among the options"))
        }
        return choices
    }

    /// The index of the selected value among the current choices; the first if it is no longer among them.
    public func selectedIndex(in choices: [Choice]) -> Int {
        choices.firstIndex { $0.value == selectedValue } ?? 0
    }

    mutating func move(to index: Int, in choices: [Choice]) {
        guard !choices.isEmpty else { return }
        selectedValue = choices[max(0, min(index, choices.count - 1))].value
    }
}
