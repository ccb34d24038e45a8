/// Whether a flag may have a value that somebody wants it to have.
public enum ValueVerdict: Sendable, Equatable {
    /// It may. The value as it is stored: an option's own spelling where it means the same, such as `true` for `on`.
    case fitting(String)
    /// Only the flag's options are meant to be chosen, and it is none of them; a sentence that names them.
    case noOption(String)
    /// The flag's type or its bounds do not allow it; a sentence that says why.
    case unfit(String)

    /// Why it may not, as a sentence; `nil` where it may.
    public var objection: String? {
        switch self {
        case .fitting: nil
        case .noOption(let sentence), .unfit(let sentence): sentence
        }
    }
}

extension FlagFacts {
    /// Whether the flag may have a value.
    public func verdict(on value: String) -> ValueVerdict {
        if let option = option(meaning: value) { return .fitting(option.value) }
        if hasChoice, !isOpenToOtherValues {
            let list = options.map { EffectiveChange.shown($0.value) }.joined(separator: ", ")
            return .noOption("\(JSONOutput.quoted(value, limit: 80)) is not an option of \(key). Options: \(list).")
        }
        return objection(to: value).map { .unfit("\(key): \($0)") } ?? .fitting(value)
    }
}

extension FlagBoard {
    /// What to say of a key that nothing knows: a sentence, and a question with the nearest keys.
    public func sentence(onUnknown key: String) -> String {
        let keys = places.lazy.map { self.key(at: $0).string }
        let hint = NearestKeys.question(about: key, among: keys, naming: 3)
        return "There is no flag \(JSONOutput.quoted(key, limit: 80)).\(hint)"
    }
}
