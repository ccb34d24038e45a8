public import FlagModel

/// The option list of one flag, drawn over the list of flags.
public struct OptionList: Sendable, Equatable {
    /// A value to choose.
    public struct Choice: Sendable, Equatable {
        /// The value.
        public let value: String
        /// The conditions that choose the value, or a note that the value is not an option; `nil` if there is neither.
        public let label: String?
    }

    /// The flag's key.
    public let key: FlagText
    /// The selected value; it stays selected when flags change.
    public internal(set) var selectedValue: String

    /// The option list of a flag, with the value in use selected.
    init(_ facts: FlagFacts) {
        key = FlagText(facts.key)
        let choices = Self.choices(of: facts)
        selectedValue = choices.first { facts.isSame($0.value, facts.value) }?.value ?? choices.first?.value ?? ""
    }

    /// The options, then the override and the remote value if they are not among the options.
    public static func choices(of facts: FlagFacts) -> [Choice] {
        var choices = facts.options.map { Choice(value: $0.value, label: $0.label) }
        let extraValues = [facts.override?.value, facts.explanation.value(in: .remote)?.string]
        for case let value? in extraValues where !choices.contains(where: { facts.isSame($0.value, value) }) {
            choices.append(Choice(value: value, label: "not among the options"))
        }
        return choices
    }

    /// The index of the selected value among the current choices; 0 if the choices no longer contain the value.
    public func selectedIndex(in choices: [Choice]) -> Int {
        choices.firstIndex { $0.value == selectedValue } ?? 0
    }

    /// Selects the choice at an index, or the nearest one.
    mutating func move(to index: Int, in choices: [Choice]) {
        guard !choices.isEmpty else { return }
        selectedValue = choices[max(0, min(index, choices.count - 1))].value
    }
}
