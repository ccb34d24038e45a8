import FlagModel

extension FlagFacts {
    /// The value as it is stored: an option's own spelling if it is equivalent, such as `true` for `on`.
    ///
    /// - Throws: an error if the flag cannot have the value, unless any value is allowed.
    func checked(_ value: String, allowsAny: Bool) throws(CommandFailure) -> String {
        switch verdict(on: value) {
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
        guard let objection = objection(to: value) else { return }
        let isReadable = type.accepts(value)
        let consequence = isReadable ? "It was set anyway." : "Apps ignore the override until it is valid."
        StandardError.warn("\(key): \(objection) \(consequence)")
    }
}
