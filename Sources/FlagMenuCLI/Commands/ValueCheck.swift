import FlagModel

/// Whether a value may be given to a flag.
struct ValueCheck {
    private let facts: FlagFacts
    private let allowsAny: Bool

    init(_ facts: FlagFacts, allowsAny: Bool) {
        self.facts = facts
        self.allowsAny = allowsAny
    }

    /// The value as it is stored: an option's own spelling where it means the same, such as `true` for `on`.
    func checked(_ value: String) throws(CommandFailure) -> String {
        switch facts.verdict(on: value) {
        case .fitting(let stored): return stored
        case .noOption(let sentence) where !allowsAny:
            throw CommandFailure(.invalidValue, "\(sentence) Nothing was changed; --any sets it anyway.")
        case .unfit(let sentence) where !allowsAny:
            throw CommandFailure(.invalidValue, "\(sentence) Nothing was changed.")
        case .noOption, .unfit:
            warn(of: value)
            return value
        }
    }

    private func warn(of value: String) {
        guard let objection = facts.objection(to: value) else { return }
        let isReadable = facts.type.accepts(value)
        let consequence = isReadable ? "It was set anyway." : "Apps pass the override over until it can be read."
        StandardError.warn("\(facts.key): \(objection) \(consequence)")
    }
}
