import FlagModel

extension FlagFacts {
    /// The value to store for a typed value, in the spelling of the flag's equivalent option: `true` for `on`.
    ///
    /// - Parameter allowsAny: whether to accept any value, with a warning.
    /// - Throws: an error if the flag cannot have the value.
    func checked(_ value: String, allowsAny: Bool) throws(CommandFailure) -> String {
        switch check(on: value) {
        case .valid(let stored): return stored
        case .notAnOption(let sentence) where !allowsAny:
            throw CommandFailure(.invalidValue, "\(sentence) Nothing was changed; --any sets it anyway.")
        case .invalid(let sentence) where !allowsAny:
            throw CommandFailure(.invalidValue, "\(sentence) Nothing was changed.")
        case .notAnOption, .invalid:
            printConsequence(of: value)
            return value
        }
    }

    /// Prints the consequence of storing an invalid value.
    private func printConsequence(of value: String) {
        guard let invalidReason = invalidReason(to: value) else { return }
        let isReadable = type.accepts(value)
        let consequence = isReadable ? "It was set anyway." : "Apps ignore the override until it is valid."
        StandardError.warn("\(key): \(invalidReason) \(consequence)")
    }
}
