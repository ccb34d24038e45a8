/// The result of checking a value for a flag.
public enum ValueCheck: Sendable, Equatable {
    /// The value is allowed. The text to store is the option with the same meaning if there is one, such as `true` for
    /// `on`.
    case valid(String)
    /// The value is not one of the flag's options, and no others are allowed. The sentence lists the options.
    case notAnOption(String)
    /// The value is invalid for the flag's type or bounds. The sentence has the reason.
    case invalid(String)

    /// Why the value is not allowed, as a sentence; `nil` if it is allowed.
    public var invalidReason: String? {
        switch self {
        case .valid: nil
        case .notAnOption(let sentence), .invalid(let sentence): sentence
        }
    }
}

extension FlagFacts {
    /// Checks whether the flag may have a value.
    public func check(on value: String) -> ValueCheck {
        let option = option(meaning: value)
        if let option, type.accepts(option.value) { return .valid(option.value) }
        if option == nil, hasChoice, !isOpenToOtherValues {
            let list = options.map { $0.value.orQuotes }.joined(separator: ", ")
            return .notAnOption("\(JSONOutput.quoted(value, limit: 80)) is not an option of \(key). Options: \(list).")
        }
        return invalidReason(to: value).map { .invalid("\(key): \($0)") } ?? .valid(value)
    }

    /// The value to store for a typed value, in the spelling of the flag's equivalent option: `true` for `on`.
    ///
    /// - Parameters:
    ///   - allowsAny: whether to accept any value.
    ///   - option: how the user would allow a value that is not an option, such as `--any`.
    /// - Throws: why the flag cannot have the value.
    public func valueToStore(
        _ value: String, allowsAny: Bool, option: String
    ) throws(InvalidText) -> String {
        switch check(on: value) {
        case .valid(let stored): return stored
        case .notAnOption where allowsAny, .invalid where allowsAny: return value
        case .notAnOption(let sentence):
            throw InvalidText(sentence: "\(sentence) Nothing was changed; \(option) sets it anyway.")
        case .invalid(let sentence):
            let anyway = editedType != type ? "; \(option) sets it as text" : ""
            throw InvalidText(sentence: "\(sentence) Nothing was changed\(anyway).")
        }
    }

    /// What storing an invalid value leads to, as sentences; `nil` if the value is valid.
    public func consequence(ofStoring value: String) -> String? {
        guard let reason = invalidReason(to: value) else { return nil }
        let isReadable = type.accepts(value)
        return "\(key): \(reason) "
            + (isReadable ? "It was set anyway." : "Apps ignore the override until it is valid.")
    }
}

extension FlagBoard {
    /// The message for an unknown key, with the nearest keys.
    public func sentence(onUnknown key: String) -> String {
        let keys = places.lazy.map { self.key(at: $0).string }
        let hint = NearestKeys.suggestion(about: key, among: keys, naming: 3)
        return "\(JSONOutput.quoted(key, limit: 80)) is not a flag.\(hint)"
    }
}
