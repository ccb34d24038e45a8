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
        if let option = facts.option(meaning: value) { return option.value }
        if facts.hasChoice, !facts.isOpenToOtherValues, !allowsAny {
            let list = facts.options.map { Workspace.shown($0.value) }.joined(separator: ", ")
            throw CommandFailure(
                .invalidValue,
                "\(JSONOutput.quoted(value, limit: 80)) is not an option of \(facts.key). Options: \(list). "
                    + "Nothing was changed; --any sets it anyway.")
        }
        if let objection = facts.objection(to: value) {
            guard allowsAny else {
                throw CommandFailure(.invalidValue, "\(facts.key): \(objection) Nothing was changed.")
            }
            let isReadable = facts.type.accepts(value)
            let consequence = isReadable ? "It was set anyway." : "Apps pass the override over until it can be read."
            StandardError.warn("\(facts.key): \(objection) \(consequence)")
        }
        return value
    }
}
